"""Ends a client's connection without waiting for it to read what it was sent.

ASGI has no word for this: gunicorn closes a connection only once its buffer has been read, which a
client that does not read prevents for ever. So the host hands the transport's `abort` down with
the request.
"""

import asyncio
import socket
import struct
from collections.abc import Callable, MutableMapping
from functools import partial
from typing import Any

KEY = "anichron.abort"
DROP_UNSENT = struct.pack("ii", 1, 0)


def offer_abort(scope: MutableMapping[str, Any], receive: object) -> None:
    """Put the way to end the connection into the request's scope, where there is one."""
    receiver = getattr(receive, "__self__", None)
    transport = getattr(getattr(receiver, "protocol", None), "transport", None)
    if transport is not None:
        scope[KEY] = partial(_abort, transport)


def abort_of(scope: MutableMapping[str, Any]) -> Callable[[], None]:
    """How to end the request's connection at once."""
    abort: Callable[[], None] = scope.get(KEY, _nothing_to_end)
    return abort


def _abort(transport: asyncio.WriteTransport) -> None:
    """Drop what is unsent, in our buffer and in the kernel's, and tell the client with a reset."""
    connection = transport.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, DROP_UNSENT)
    transport.abort()


def _nothing_to_end() -> None:
    """Under another server, and in tests, a stream that is ended is all there is."""
