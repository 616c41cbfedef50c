"""Says whether this host can serve requests."""

from dataclasses import dataclass

from application.ports.readiness import Readiness


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReadiness:
    """Ready: the database answers and its schema is this release's."""

    readiness: Readiness

    def __call__(self) -> None:
        """DatabaseUnavailable; SchemaNotCurrent."""
        self.readiness.check()
