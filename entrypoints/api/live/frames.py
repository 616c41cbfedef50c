"""The live stream's events as bytes."""

import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from datetime import datetime
from uuid import UUID

from pydantic import BaseModel

from application.ports.work_item_changes import Change
from application.use_cases.watch_work import FeedEvent, Look
from domain.work.cursor import format_instant
from entrypoints.api.work_item_views import (
    LeasesView,
    ResetView,
    WorkItemRemovedView,
    WorkItemView,
)

log = logging.getLogger(__name__)

KEEP_ALIVE = b": still here\n\n"
RETRY_MILLISECONDS = 2_000
CHUNK_BYTES = 64 * 1024


class Frames:
    """Each change becomes text once, however many streams it goes to."""

    def __init__(self, remembered: int) -> None:
        self._remembered = remembered
        self._bodies: OrderedDict[tuple[UUID, datetime], bytes] = OrderedDict()

    def of_look(self, look: Look, cursor: datetime) -> tuple[bytes, ...]:
        """What every stream is sent after a look at the database."""
        changes = [reset(cursor)] if look.must_reset else self.of_events(look.events)
        leases = LeasesView(server_time=look.server_time, leases=look.leases)
        return (*chunked(changes), _body("leases", leases))

    def of_events(self, events: Iterable[FeedEvent]) -> Iterator[bytes]:
        return (_identified(event.cursor, self._body_of(event.change)) for event in events)

    def _body_of(self, change: Change) -> bytes:
        key = (change.item_id, change.changed_at)
        if key not in self._bodies:
            self._bodies[key] = _shown(change)
            if len(self._bodies) > self._remembered:
                self._bodies.popitem(last=False)
        return self._bodies[key]


def opening(cursor: datetime | None) -> bytes:
    """What a stream begins with; a client that is new here is told where it stands."""
    retry = b"retry: %d\n" % RETRY_MILLISECONDS
    return retry + b"\n" if cursor is None else _identified(cursor, retry + b"\n")


def reset(cursor: datetime) -> bytes:
    """The client has to list again; what follows goes on from the cursor."""
    return _identified(cursor, _body("reset", ResetView()))


def chunked(frames: Iterable[bytes]) -> Iterator[bytes]:
    """The frames joined into few pieces, so that no piece fills a slow client's buffer."""
    piece = bytearray()
    for frame in frames:
        if piece and len(piece) + len(frame) > CHUNK_BYTES:
            yield bytes(piece)
            piece.clear()
        piece += frame
    if piece:
        yield bytes(piece)


def _shown(change: Change) -> bytes:
    """The change; one that can't be shown (written by hand, say) takes no other along."""
    try:
        return _change(change)
    except (ValueError, RecursionError):
        log.exception("a change can't be shown", extra={"item_id": change.item_id})
        return b": a change that can't be shown\n\n"


def _change(change: Change) -> bytes:
    if change.item is None:
        return _body("work-item-removed", WorkItemRemovedView(id=change.item_id))
    return _body("work-item", WorkItemView.of(change.item))


def _body(event: str, view: BaseModel) -> bytes:
    text = view.model_dump_json(by_alias=True)  # without line ends, which would split the data
    return f"event: {event}\ndata: {text}\n\n".encode()


def _identified(cursor: datetime, body: bytes) -> bytes:
    return f"id: {format_instant(cursor)}\n".encode() + body
