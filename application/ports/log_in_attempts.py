"""Counts failed log-ins, and says who has to wait before the next."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from domain.identity.log_in_throttle import Scope, Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class LogInAttempt:
    """Somebody at an address wants to log in."""

    login: str
    """The name or e-mail address as it was typed, in composed form."""
    network: str
    """Where from, as text: what counts as one address."""
    user_id: UUID | None
    """Whose name it is, if anybody's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """An attempt that may go on and is counted as failed for now."""

    attempt: LogInAttempt
    counted_at: datetime
    """By the clock of whatever keeps the counts."""
    before: Mapping[Scope, Tally] = field(default_factory=dict)
    """What was counted until then. What was forgotten may be in it: the count began again at 1,
    and of such a count there is nothing to go back to."""


class LogInAttempts(Protocol):
    """The counts, shared by all hosts. Each method is one transaction; all raise
    DatabaseUnavailable. Names are told apart as Users tells them: whatever the case.
    """

    @abstractmethod
    def admit(self, attempt: LogInAttempt) -> Admission:
        """Count the attempt as failed, or raise TooManyAttempts and count nothing.

        However many attempts race, no more get through than the rules let through one by one.
        """

    @abstractmethod
    def succeeded(self, admission: Admission) -> None:
        """Take the attempt's count back, forget the pair's failures, and know the address.

        To the account alone is the address known; a user who is gone is nobody's.
        """

    @abstractmethod
    def withdrawn(self, admission: Admission) -> None:
        """Take the attempt's count back, and nothing else: it was not the caller's fault."""
