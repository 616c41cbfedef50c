"""Which handler runs which kind. A Worker does not start with one missing or one too many."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from application.payloads import Payload
from application.ports.work_context import Result, WorkContext
from domain.errors import DomainError


class Handler(Protocol):
    """Runs one item. Each run starts from scratch and converges; its effects repeat safely."""

    def __call__(self, payload: Any, context: WorkContext) -> Result:
        """The result: counts and facts, small. Raises WorkCancelled when asked to stop."""


class IncompleteRegistry(DomainError):
    """A kind lacks its payload or handler, or has several, or there is one of no known kind."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("the kinds of work are not complete: " + "; ".join(faults))


@dataclass(frozen=True, slots=True)
class Registered:
    payload: type[Payload]
    handler: Handler


class HandlerRegistry:
    """Built from pairs, because a dict literal drops a duplicate kind in silence."""

    def __init__(
        self,
        kinds: Collection[str],
        payloads: Iterable[tuple[str, type[Payload]]],
        handlers: Iterable[tuple[str, Handler]],
    ) -> None:
        payloads, handlers = list(payloads), list(handlers)
        faults = [
            *_faults("payload", kinds, [kind for kind, _ in payloads]),
            *_faults("handler", kinds, [kind for kind, _ in handlers]),
        ]
        if faults:
            raise IncompleteRegistry(faults)
        by_kind = dict(handlers)
        self._entries = {
            str(kind): Registered(payload, by_kind[kind]) for kind, payload in payloads
        }

    def kinds(self) -> list[str]:
        """Every kind, sorted."""
        return sorted(self._entries)

    def of(self, kind: str) -> Registered | None:
        """What runs the kind; None where nobody knows it."""
        return self._entries.get(kind)


def _faults(what: str, kinds: Collection[str], found: Sequence[str]) -> list[str]:
    counts = Counter(map(str, found))
    wrong = [
        f"{kind} has {counts[kind]} {what}s instead of one"
        for kind in sorted(map(str, kinds))
        if counts[kind] != 1
    ]
    unknown = sorted(set(counts) - set(map(str, kinds)))
    return [*wrong, *(f"{kind} has a {what} but is no kind" for kind in unknown)]
