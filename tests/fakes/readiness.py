"""A database whose state a test sets."""

from dataclasses import dataclass

from typing_extensions import override

from application.ports.readiness import Readiness
from domain.errors import DomainError


@dataclass
class InMemoryReadiness(Readiness):
    trouble: DomainError | None = None

    @override
    def check(self) -> None:
        if self.trouble is not None:
            raise self.trouble
