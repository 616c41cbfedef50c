"""The admin's part of the API that is about work items."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from http import HTTPStatus
from typing import Any, Protocol, TypeAlias
from urllib.parse import urlencode
from uuid import UUID

from typing_extensions import override

from entrypoints.cli.api_client.event_stream import ServerEvent, events_of
from entrypoints.cli.api_client.faults import ApiFault
from entrypoints.cli.api_client.session import Session

Item: TypeAlias = Mapping[str, Any]
"""A work item as the API's document describes it."""
PATH = "/admin/work-items"
MOST_ENTRIES = 200
RUNNING = "Running"


@dataclass(frozen=True, slots=True, kw_only=True)
class Which:
    """A filter of items; an empty part does not filter."""

    statuses: Sequence[str] = ()
    kinds: Sequence[str] = ()

    def takes(self, item: Item) -> bool:
        return (not self.statuses or item["status"] in self.statuses) and (
            not self.kinds or item["kind"] in self.kinds
        )

    def running(self) -> "Which | None":
        """Of its items those that run; None where it takes none of them."""
        if self.statuses and RUNNING not in self.statuses:
            return None
        return Which(statuses=[RUNNING], kinds=self.kinds)

    def query(self) -> list[tuple[str, str]]:
        return [("status", each) for each in self.statuses] + [
            ("kind", each) for each in self.kinds
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancelled:
    """What became of a wish to cancel; `had_finished`: it came too late."""

    item: Item
    had_finished: bool


class Entries(Protocol):
    """Lists what the API keeps in pages."""

    @abstractmethod
    def entries(self, path: str) -> list[Mapping[str, Any]]:
        """All users or folders, by the path of their list below `/api/v1`; ApiUnreachable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueClient(Entries):
    session: Session

    def page(self, which: Which, *, number: int = 1, size: int = 50) -> Mapping[str, Any]:
        """One page of the list, with its cursor, total and time."""
        query = [*which.query(), ("page", str(number)), ("pageSize", str(size))]
        answer = self.session.call("GET", f"{PATH}?{urlencode(query)}")
        return _object(answer.accepted(HTTPStatus.OK))

    def lease(self) -> timedelta:
        """For how long a sign of life of a running item holds, as the API has it; 0: unknown."""
        answer = self.session.call("GET", "/admin/workers").accepted(HTTPStatus.OK)
        cadence = _object(_object(answer).get("cadence", {}))  # an older API does not tell
        return timedelta(seconds=cadence.get("leaseSeconds", 0))

    def item(self, item_id: UUID) -> Item:
        """With its whole result and error."""
        return _object(self.session.call("GET", f"{PATH}/{item_id}").accepted(HTTPStatus.OK))

    @override
    def entries(self, path: str) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = []
        number = 1
        while page := self._listed(f"{path}?page={number}&pageSize={MOST_ENTRIES}"):
            found += page
            number += 1
        return found

    def cancel(self, item_id: UUID) -> Cancelled:
        """At once where it is queued; asked for where it runs."""
        answer = self.session.call("POST", f"{PATH}/{item_id}/cancel")
        if answer.status == HTTPStatus.CONFLICT:
            return Cancelled(item=_object(_object(answer.content)["item"]), had_finished=True)
        item = _object(answer.accepted(HTTPStatus.OK, HTTPStatus.ACCEPTED))
        return Cancelled(item=item, had_finished=False)

    @contextmanager
    def events(self, cursor: str | None) -> Iterator[Iterator[ServerEvent | None]]:
        """What changes from the cursor on, None for a keep-alive, until the stream ends."""
        with self.session.stream(f"{PATH}/events", cursor) as lines:
            yield events_of(lines)

    def _listed(self, path: str) -> list[Mapping[str, Any]]:
        answer = _object(self.session.call("GET", path).accepted(HTTPStatus.OK))
        return list(answer["items"])


def _object(content: object) -> Mapping[str, Any]:
    if not isinstance(content, Mapping):
        raise ApiFault("the answer is not the API's")
    return content
