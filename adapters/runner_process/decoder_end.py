"""The end of a process that decodes for a runner, one file at a time, and may die of it."""

import pickle
import socket
from collections.abc import Callable, Sequence
from typing import BinaryIO

from adapters.runner_process.bound_child import end_with
from adapters.runner_process.decoder_wire import (
    Answer,
    Develop,
    Raised,
    Read,
    Request,
    Waiting,
    asked,
)
from adapters.runner_process.decoder_wire import answer as send_answer
from application.ports.decoders import Decoders

# Out of memory, the kernel should take this process and leave the runner.
OOM_SCORE = 800


def serve_runner(
    arguments: Sequence[str], decoders: Decoders, open_file: Callable[[int], BinaryIO]
) -> None:
    """Answer until the runner hangs up. `arguments`: the inherited socket's number, its pid."""
    end_with(int(arguments[1]), OOM_SCORE)
    with socket.socket(fileno=int(arguments[0])) as end:
        send_answer(end, Waiting())
        while (request := asked(end)) is not None:
            words, file = request
            with open_file(file) as stream:
                send_answer(end, _answer(words, stream, decoders))


def _answer(request: Request, stream: BinaryIO, decoders: Decoders) -> Answer:
    try:
        match request:
            case Read(media_format):
                return decoders.metadata.read(stream, media_format)
            case Develop(media_format, orientation):
                return decoders.developer.develop(stream, media_format, orientation)
    except Exception as error:  # noqa: BLE001  # raised again in the runner, which knows what to do
        return Raised(_portable(error))


def _portable(error: Exception) -> Exception:
    """The error itself, where it can travel."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  # our own error
    except Exception:  # noqa: BLE001  # whatever its class does, its name goes instead
        return RuntimeError(repr(error))
    return error
