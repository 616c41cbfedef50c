"""Real processes that decode, crash and hang."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import pytest

from adapters.runner_process.decoder_processes import DecoderProcesses
from application.ports.decoders import DecoderDied, Decoders, DecodersUnfit
from application.ports.media_developer import TooManyPixels
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.raw_metadata import RawMetadata

ODD = [sys.executable, "-m", "tests.adapters.runner_process.odd_decoder"]
TURNED = Orientation(90, is_mirrored=True)


def processes(most: int = 2, seconds: float = 60) -> DecoderProcesses:
    return DecoderProcesses(command=ODD, most=most, seconds_at_most=seconds)


@pytest.fixture
def decoders() -> Iterator[Decoders]:
    with processes().opened() as opened:
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def stream_of(folder: Path, content: bytes) -> BinaryIO:
    file = folder / f"{content.decode()}.jpg"
    file.write_bytes(content)
    return file.open("rb")


def read(decoders: Decoders, folder: Path, content: bytes) -> RawMetadata:
    with stream_of(folder, content) as stream:
        stream.read(1)
        return decoders.metadata.read(stream, MediaFormat.JPEG)


def pid_of(raw: RawMetadata) -> int:
    assert raw.model is not None
    return int(raw.model)


def is_alive(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_a_file_is_read_and_developed_elsewhere_and_in_one_process(
    decoders: Decoders, folder: Path
) -> None:
    raw, again = read(decoders, folder, b"one"), read(decoders, folder, b"two")
    assert (raw.make, raw.lens, again.make) == (b"one", b"jpeg", b"two")
    assert pid_of(raw) == pid_of(again) != os.getpid()
    with stream_of(folder, b"abc") as stream:
        rendition = decoders.developer.develop(stream, MediaFormat.PNG, TURNED)
    assert (rendition.orientation, rendition.blurhash) == (TURNED, "png")
    assert rendition.proxies[0].jpeg == b"abc" * 1_000_000


@pytest.mark.parametrize("word", [b"CRASH", b"EXIT"])
def test_a_process_that_dies_is_told_and_the_next_file_finds_another(
    decoders: Decoders, folder: Path, word: bytes
) -> None:
    first = pid_of(read(decoders, folder, b"one"))
    with pytest.raises(DecoderDied, match=r"^decoding it ended the decoder$"):
        read(decoders, folder, word)
    with (
        stream_of(folder, word) as stream,
        pytest.raises(DecoderDied, match=r"^decoding it ended the decoder$"),
    ):
        decoders.developer.develop(stream, MediaFormat.JPEG, TURNED)
    assert pid_of(read(decoders, folder, b"one")) != first
    assert not is_alive(first)


def test_a_process_that_hangs_is_ended(folder: Path) -> None:
    with processes(seconds=1).opened() as decoders:
        first = pid_of(read(decoders, folder, b"one"))
        began = time.monotonic()
        with pytest.raises(DecoderDied, match=r"^decoding it did not end, and was ended$"):
            read(decoders, folder, b"HANG")
        assert 1 <= time.monotonic() - began < 10
        assert not is_alive(first)
        assert read(decoders, folder, b"two").make == b"two"


def test_an_error_of_a_decoder_is_raised_here_and_ends_no_process(
    decoders: Decoders, folder: Path
) -> None:
    first = pid_of(read(decoders, folder, b"one"))
    with pytest.raises(TooManyPixels, match=r"^more than 1 megapixels$"):
        read(decoders, folder, b"HUGE")
    with pytest.raises(RuntimeError, match="Untellable"):
        read(decoders, folder, b"STRANGE")
    assert pid_of(read(decoders, folder, b"one")) == first


def test_a_process_that_died_while_it_waited_is_no_file_s_fault(
    decoders: Decoders, folder: Path
) -> None:
    first = pid_of(read(decoders, folder, b"one"))
    os.kill(first, signal.SIGKILL)
    while Path(f"/proc/{first}/stat").read_text().split()[2] != "Z":
        time.sleep(0.01)
    assert pid_of(read(decoders, folder, b"one")) != first


def test_there_are_no_more_processes_than_allowed_and_threads_wait(folder: Path) -> None:
    with processes(most=2).opened() as decoders:
        both = threading.Barrier(4)

        def read_some(number: int) -> set[int]:
            both.wait(10)
            return {pid_of(read(decoders, folder, b"%d" % number)) for _ in range(20)}

        with ThreadPoolExecutor(4) as pool:
            pids = set[int]().union(*pool.map(read_some, range(4)))
        assert len(pids) == 2
        # The threads that asked for them have ended; the processes have not.
        assert pid_of(read(decoders, folder, b"one")) in pids
    assert not any(map(is_alive, pids))


def test_no_process_is_started_before_there_is_a_file(folder: Path) -> None:
    nobody = DecoderProcesses(command=["/nowhere"], most=1, seconds_at_most=1)
    # It opens; the file then starts one, which cannot be missed.
    said = "no process that decodes can be started: No such file"
    with nobody.opened() as decoders, pytest.raises(DecodersUnfit, match=said):
        read(decoders, folder, b"one")


def test_a_process_that_does_not_start_is_no_file_s_fault(folder: Path) -> None:
    broken = DecoderProcesses(
        command=[sys.executable, "-c", "raise SystemExit('wrong settings')"],
        most=1,
        seconds_at_most=1,
    )
    with broken.opened() as decoders:
        for _ in range(2):
            with pytest.raises(DecodersUnfit, match="no process that decodes can be started"):
                read(decoders, folder, b"one")


RUNNER = f"""
import sys
from adapters.runner_process.decoder_processes import DecoderProcesses
from domain.library.media_type import MediaFormat
with DecoderProcesses(command={ODD!r}, most=1, seconds_at_most=60).opened() as decoders:
    for name in sys.argv[1:]:
        with open(name, "rb") as stream:
            print(decoders.metadata.read(stream, MediaFormat.JPEG).model.decode(), flush=True)
"""


def test_a_process_that_is_at_work_dies_with_its_runner(folder: Path) -> None:
    for word in (b"one", b"HANG"):
        stream_of(folder, word).close()
    names = [str(folder / "one.jpg"), str(folder / "HANG.jpg")]
    with subprocess.Popen([sys.executable, "-c", RUNNER, *names], stdout=subprocess.PIPE) as runner:
        assert runner.stdout is not None
        pid = int(runner.stdout.readline())
        assert is_alive(pid)
        runner.kill()
    until = time.monotonic() + 10
    while is_alive(pid) and Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z":
        assert time.monotonic() < until
        time.sleep(0.02)
