"""A wire between browser and API that can be cut, and led to another process."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

PIECE = 64 * 1024


@dataclass
class Cutter:
    """Passes bytes on to `behind`; while it is cut, new connections are refused by closing."""

    behind: int
    listener: socket.socket
    is_cut: bool = False
    delay_seconds: float = 0
    """How long each piece of the server's takes on its way."""
    _open: list[socket.socket] = field(default_factory=list)

    @property
    def port(self) -> int:
        number: int = self.listener.getsockname()[1]
        return number

    def cut(self) -> None:
        """End every connection, and let none be made."""
        self.is_cut = True
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def mend(self, behind: int | None = None) -> None:
        """Let connections through again, to another port where one is given."""
        self.behind = behind or self.behind
        self.is_cut = False

    def serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self._connect, args=(client,), daemon=True).start()

    def _connect(self, client: socket.socket) -> None:
        if self.is_cut:
            client.close()
            return
        try:
            server = socket.create_connection(("127.0.0.1", self.behind), timeout=5)
        except OSError:
            client.close()
            return
        server.settimeout(None)
        self._open += [client, server]
        threading.Thread(target=_pump, args=(client, server), daemon=True).start()
        _pump(server, client, self.delay_seconds)


def _pump(source: socket.socket, target: socket.socket, delay_seconds: float = 0) -> None:
    with suppress(OSError):
        while piece := source.recv(PIECE):
            time.sleep(delay_seconds)
            target.sendall(piece)
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


@contextmanager
def cutter_before(behind: int) -> Iterator[Cutter]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        cutter = Cutter(behind, listener)
        threading.Thread(target=cutter.serve, daemon=True).start()
        try:
            yield cutter
        finally:
            cutter.cut()
