"""A connection on which no statement can wait for ever.

The server's own time-outs do not help when the server is frozen or the network swallows packets;
then only the client can notice. Past the limit the connection is closed and the statement fails
as any broken connection does.
"""

import time
from collections.abc import Generator
from typing import Any, ClassVar, TypeVar

import psycopg
from typing_extensions import override

RV = TypeVar("RV")
LOOK_EVERY_SECONDS = 0.1


class DeadlineConnection(psycopg.Connection[Any]):
    """psycopg's connection with an upper limit, in seconds, for each wait on the server."""

    limit_seconds: ClassVar[float] = 60.0

    @override
    def wait(
        self,
        gen: Generator[Any, Any, RV],
        interval: float = LOOK_EVERY_SECONDS,
        timeout: float | None = None,
    ) -> RV:
        return super().wait(self._limited(gen), interval=interval, timeout=timeout)

    def _limited(self, gen: Generator[Any, Any, RV]) -> Generator[Any, Any, RV]:
        end = time.monotonic() + self.limit_seconds
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and time.monotonic() > end:
                    self.pgconn.finish()
                    raise psycopg.OperationalError(
                        f"the database did not answer within {self.limit_seconds:g} s"
                    )
                wanted = gen.send(ready)
        except StopIteration as done:
            value: RV = done.value
            return value


def connection_class(limit_seconds: float) -> type[DeadlineConnection]:
    """A connection class with this limit."""
    return type("LimitedConnection", (DeadlineConnection,), {"limit_seconds": limit_seconds})
