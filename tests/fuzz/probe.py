"""Gives files to a child process and notices whatever it must not do."""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from entrypoints.worker.main import DECODER_ENVIRONMENT

LOOK_EVERY_SECONDS: Final = 0.05
PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
MEGABYTE: Final = 1024 * 1024
START_LIMIT_SECONDS: Final = 60.0
CHILD: Final = (sys.executable, "-m", "tests.fuzz.child")


@dataclass(frozen=True, slots=True)
class Told:
    """What became of a file; a finding is what must not happen."""

    outcome: str
    is_finding: bool = False
    is_about_time: bool = False
    """What a machine that stood still for a while looks like too."""


@dataclass
class Probe:
    """One child at a time. After a finding that ended it the next file gets a new one."""

    command: Sequence[str] = CHILD
    limit_seconds: float = 20.0
    limit_megabytes: float = 600.0
    """Beyond what the child takes before its first file."""
    _child: subprocess.Popen[str] | None = None
    _idle_bytes: int = 0
    _selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)

    def __call__(self, path: Path) -> Told:
        child = self._running()
        try:
            _say(child, str(path))
        except BrokenPipeError:
            return self._judge(child, "")  # it ended after its last answer
        end = time.monotonic() + self.limit_seconds
        while not self._selector.select(LOOK_EVERY_SECONDS):
            if time.monotonic() > end:
                self.close()
                reason = f"took longer than {self.limit_seconds:g} s"
                return Told(reason, is_finding=True, is_about_time=True)
            if self._is_too_large(_resident_bytes(child.pid)):
                return self._end(f"took over {self.limit_megabytes:g} MB")
        return self._judge(child, _line(child))

    def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()
            child.wait()
            assert child.stdin is not None
            assert child.stdout is not None
            self._selector.unregister(child.stdout)
            with contextlib.suppress(BrokenPipeError):  # what it was never told
                child.stdin.close()
            child.stdout.close()

    def _judge(self, child: subprocess.Popen[str], line: str) -> Told:
        if not line:
            status = child.wait()
            name = signal.Signals(-status).name if status < 0 else f"status {status}"
            return self._end(f"ended the process: {name}")
        answer = json.loads(line)
        if "error" in answer:
            return Told(answer["error"], is_finding=True)
        if self._is_too_large(answer["peak"]):
            return self._end(f"took over {self.limit_megabytes:g} MB")
        return Told(answer["outcome"])

    def _end(self, reason: str) -> Told:
        self.close()
        return Told(reason, is_finding=True)

    def _is_too_large(self, resident: int) -> bool:
        return resident - self._idle_bytes > self.limit_megabytes * MEGABYTE

    def _running(self) -> subprocess.Popen[str]:
        if self._child is None:
            self._child = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=Path(__file__).parents[2],
                env={**os.environ, **DECODER_ENVIRONMENT},
            )
            assert self._child.stdout is not None
            self._selector.register(self._child.stdout, selectors.EVENT_READ)
            if not (self._selector.select(START_LIMIT_SECONDS) and _line(self._child)):
                raise SystemExit("the fuzzed process did not start; what it said stands above")
            self._idle_bytes = _resident_bytes(self._child.pid)
        return self._child


def _say(child: subprocess.Popen[str], line: str) -> None:
    assert child.stdin is not None
    child.stdin.write(line + "\n")
    child.stdin.flush()


def _line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline()


def _resident_bytes(pid: int) -> int:
    """0 where the process has just ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return 0
