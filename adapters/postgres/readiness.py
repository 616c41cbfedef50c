"""Looks whether PostgreSQL answers and is at this release's schema."""

from dataclasses import dataclass, field

from sqlalchemy import Engine
from typing_extensions import override

from adapters.postgres.schema import current_revision, head_revision
from adapters.postgres.transaction import outages_told
from application.ports.readiness import Readiness, SchemaNotCurrent


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresReadiness(Readiness):
    """Compares the database's revision with the newest one that was shipped."""

    engine: Engine
    needed: str = field(default_factory=head_revision)

    @override
    def check(self) -> None:
        with outages_told():
            found = current_revision(self.engine)
        if found != self.needed:
            raise SchemaNotCurrent(found, self.needed)
