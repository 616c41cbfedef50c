"""Kinds that misbehave, for tests of whole processes. The ledger is a file of JSON lines."""

import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from application.execution.handlers import HandlerRegistry
from application.payloads import Payload
from application.ports.work_context import Result, WorkContext


class ScriptPayload(Payload):
    """What the handler shall do, and for how long where that matters."""

    kind: Literal["Script"] = "Script"
    act: str
    seconds: float = 0


def script(payload: ScriptPayload, context: WorkContext) -> Result:
    note("begin", context)
    result = ACTS[payload.act](payload, context)
    note("end", context)
    return result


def note(event: str, context: WorkContext) -> None:
    line = {"event": event, "item": str(context.tag.item_id), "attempt": context.tag.attempt}
    with Path(os.environ["LEDGER"]).open("a") as ledger:
        ledger.write(json.dumps({**line, "pid": os.getpid(), "keeper": os.getppid()}) + "\n")


def _return(payload: ScriptPayload, context: WorkContext) -> Result:
    context.progress.report(done=3, total=3, note="all")
    return {"seconds": payload.seconds}


def _work_until_told(payload: ScriptPayload, context: WorkContext) -> Result:
    end = time.monotonic() + payload.seconds
    done = 0
    while time.monotonic() < end:
        done += 1
        context.progress.report(done=done, note=f"{done} done")
        context.cancellation.raise_if_requested({"done": done})
        time.sleep(0.05)
    return {"done": done}


def _take_long_to_stop(payload: ScriptPayload, context: WorkContext) -> Result:
    while not context.cancellation.requested:
        time.sleep(0.05)
    note("told", context)
    time.sleep(payload.seconds)
    context.cancellation.raise_if_requested({"stopped_after": payload.seconds})
    return {}


def _ignore_the_token(payload: ScriptPayload, context: WorkContext) -> Result:  # noqa: ARG001
    time.sleep(payload.seconds)
    return {"slept": payload.seconds}


def _hold_the_gil(payload: ScriptPayload, context: WorkContext) -> Result:  # noqa: ARG001
    # PyDLL, unlike CDLL, keeps the GIL while it is in C.
    ctypes.PyDLL(None).usleep(int(payload.seconds * 1_000_000))
    return {"held": payload.seconds}


def _exit(payload: ScriptPayload, context: WorkContext) -> Result:  # noqa: ARG001
    os._exit(3)


def _sys_exit(payload: ScriptPayload, context: WorkContext) -> Result:  # noqa: ARG001
    sys.exit("gone")


def _segfault(payload: ScriptPayload, context: WorkContext) -> Result:  # noqa: ARG001
    ctypes.string_at(0)
    return {}


def _killed_for_memory(payload: ScriptPayload, context: WorkContext) -> Result:  # noqa: ARG001
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


def _raise(payload: ScriptPayload, context: WorkContext) -> Result:  # noqa: ARG001
    raise ValueError("no \0 good \ud800 in /data/originals/Anna/first kiss.jpg")


def _huge_error(payload: ScriptPayload, context: WorkContext) -> Result:  # noqa: ARG001
    raise ValueError("x" * 20_000_000)


def _deep_causes(payload: ScriptPayload, context: WorkContext) -> Result:  # noqa: ARG001
    error: BaseException = ValueError("the first of many")
    for number in range(300):
        further = RuntimeError(f"cause {number}")
        further.__cause__ = error
        error = further
    raise error


def _huge_result(payload: ScriptPayload, context: WorkContext) -> Result:  # noqa: ARG001
    return {"text": "x" * 300_000}


def _odd_text(payload: ScriptPayload, context: WorkContext) -> Result:  # noqa: ARG001
    context.progress.report(done=1, note="a\0b\ud83d c \U0001f600 \u202e")
    return {"t\0": "a\0b\udcff \U0001f600"}


def _huge_note(payload: ScriptPayload, context: WorkContext) -> Result:
    end = time.monotonic() + payload.seconds
    while time.monotonic() < end:
        context.progress.report(done=1, note=f"{time.monotonic()}" + "n" * 1_000_000)
        time.sleep(0.1)
    return {}


ACTS: dict[str, Callable[[ScriptPayload, WorkContext], Result]] = {
    "return": _return,
    "work": _work_until_told,
    "stop slowly": _take_long_to_stop,
    "ignore": _ignore_the_token,
    "hold the GIL": _hold_the_gil,
    "exit": _exit,
    "sys.exit": _sys_exit,
    "segfault": _segfault,
    "out of memory": _killed_for_memory,
    "raise": _raise,
    "huge error": _huge_error,
    "huge result": _huge_result,
    "deep causes": _deep_causes,
    "odd text": _odd_text,
    "huge note": _huge_note,
}


def registry() -> HandlerRegistry:
    return HandlerRegistry(["Script"], [("Script", ScriptPayload)], [("Script", script)])
