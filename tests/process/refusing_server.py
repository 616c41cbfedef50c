"""Speaks as much of PostgreSQL's protocol as it takes to ask for a password and refuse it."""

import contextlib
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

CLEARTEXT = b"R" + struct.pack("!ii", 8, 3)
SSL_REQUEST = 80_877_103
GSS_REQUEST = 80_877_104


@dataclass
class RefusingServer:
    port: int
    passwords: list[bytes] = field(default_factory=list)
    """What clients sent, in the clear as they were asked to."""


@contextlib.contextmanager
def refusing_server() -> Iterator[RefusingServer]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = RefusingServer(port=listener.getsockname()[1])
        threading.Thread(target=_serve, args=(listener, server), daemon=True).start()
        yield server
        with contextlib.suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)


def _serve(listener: socket.socket, server: RefusingServer) -> None:
    with contextlib.suppress(OSError):
        while True:
            connection, _ = listener.accept()
            with connection, contextlib.suppress(OSError, struct.error):
                _refuse(connection, server)


def _refuse(connection: socket.socket, server: RefusingServer) -> None:
    while True:
        (length, code) = struct.unpack("!ii", connection.recv(8, socket.MSG_WAITALL))
        connection.recv(length - 8, socket.MSG_WAITALL)
        if code not in {SSL_REQUEST, GSS_REQUEST}:
            break
        connection.sendall(b"N")
    connection.sendall(CLEARTEXT)
    (length,) = struct.unpack("!xi", connection.recv(5, socket.MSG_WAITALL))
    server.passwords.append(connection.recv(length - 4, socket.MSG_WAITALL).rstrip(b"\0"))
    fields = b"SFATAL\0VFATAL\0C28P01\0Mpassword authentication failed\0\0"
    connection.sendall(b"E" + struct.pack("!i", len(fields) + 4) + fields)
