"""What happened, as rows: all that the checker knows. Instants are seconds since the epoch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from tests.chaos.plan import FaultKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of a work item, written by the audit trigger in the same transaction."""

    seq: int
    item: UUID
    old_status: str | None
    """None: the row was inserted."""
    status: str | None
    """None: the row was deleted."""
    old_attempt: int = 0
    attempt: int = 0
    old_stalls: int = 0
    stalls: int = 0
    old_lease_until: float | None = None
    cancel_requested: bool = False
    claimed_by: str | None = None
    act: str = "return"
    scope: UUID | None = None
    kind: str = "Short"
    key: str | None = None
    requested_at: float = 0.0
    statement_at: float = 0.0
    """When the statement that changed it began."""
    at: float = 0.0
    committed_at: float = 0.0
    result: Mapping[str, object] | None = None
    note: str | None = None
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """What a handler noted in the witness: "begin", "end" or, before it kills itself, "die"."""

    line: int
    item: UUID
    attempt: int
    event: str
    pid: int = 0
    at: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A row that an attempt wrote into the database under fire."""

    item: UUID
    attempt: int
    row: int
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A row of work_items."""

    id: UUID
    status: str
    attempt: int
    stalls: int
    updated_at: float = 0.0
    result: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request to enqueue, and the id that was answered; None where its scope was gone."""

    at: float
    id: UUID | None
    coalesced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CancelAnswer:
    item: UUID
    status: int
    shown_status: str | None = None
    """The status of the item in the answer's body."""
    shows_request: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiAnswer:
    """One request to the API; `status` None where there was no answer, for a `reason`."""

    what: str
    began: float
    ended: float
    status: int | None
    retry_after: bool = False
    reason: str = ""


@dataclass(slots=True, kw_only=True)
class FaultRecord:
    """A fault that was brought about; `ended` None: it still goes on."""

    kind: FaultKind
    target: int
    began: float
    ended: float | None = None
    kills: list[float] = field(default_factory=list)
    """When sessions were ended, where the fault is that."""

    def covers(self, begin: float, end: float, slack: float = 0.0) -> bool:
        """Whether it went on at any time between the two."""
        until = float("inf") if self.ended is None else self.ended + slack
        return self.began <= end and begin <= until


@dataclass(frozen=True, slots=True, kw_only=True)
class HostExit:
    """A host that ended; `told_at` None: without having been told to or killed."""

    host: str
    at: float
    status: int
    told_at: float | None = None
    told: FaultKind | None = None
    was_ready: bool = True
    log: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseLook:
    """How many items were Running without a live lease, at one instant."""

    at: float
    expired: int
    longest: float = 0.0
    """For how long the first of them has been without one, in seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The times that the hosts were run with, in seconds."""

    lease: float = 3.0
    poll: float = 0.2
    beat: float = 0.2
    stall_limit: int = 3
    workers: int = 4
    answer: float = 10.0
    """The longest that the API may take to answer; less than the server is silent."""
    exit: float = 5.5
    """The longest that a Worker may take to exit after SIGTERM."""


@dataclass(slots=True, kw_only=True)
class History:
    """Everything, as far as it has been read."""

    limits: Limits = field(default_factory=Limits)
    changes: Sequence[Change] = ()
    ledger: Sequence[LedgerLine] = ()
    rows: Sequence[ResultRow] = ()
    faults: Sequence[FaultRecord] = ()
    exits: Sequence[HostExit] = ()
    answers: Sequence[ApiAnswer] = ()
    looks: Sequence[LeaseLook] = ()
    noise: Sequence[str] = ()
    """What logs say that should not be in them."""
    order_until: float = float("inf")
    """Claims after it are not held to their order yet: what they met may not be committed."""


@dataclass(slots=True, kw_only=True)
class Ending(History):
    """The same after the last item; windows are (begin, end)."""

    items: Sequence[Item] = ()
    asked: Sequence[Asked] = ()
    cancels: Sequence[CancelAnswer] = ()
    streamed: Mapping[UUID, Item] = field(default_factory=dict)
    """What the client of the live stream believes."""
    expected: frozenset[FaultKind] = frozenset()
    """Every kind of fault that has to have happened."""
    before: tuple[float, float] = (0.0, 0.0)
    after: tuple[float, float] = (0.0, 0.0)
    """From the last fault to the end of the load."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A promise that was not kept."""

    rule: str
    what: str
    item: UUID | None = None
