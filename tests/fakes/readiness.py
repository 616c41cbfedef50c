"""A database whose state a test sets."""

from dataclasses import dataclass

from typing_extensions import override

from application.ports.readiness import Readiness
from domain.errors import DomainError


@dataclass
class InMemoryReadiness(Readiness):
    trouble: DomainError | None = None
    checked: int = 0

    @override
    def check(self) -> None:
        self.checked += 1
        if self.trouble is not None:
            raise self.trouble
