"""Looks whether PostgreSQL answers and is at this release's schema."""

from dataclasses import dataclass, field

from alembic.migration import MigrationContext
from sqlalchemy import Engine
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.schema import head_revision
from application.ports.readiness import Readiness, SchemaNotCurrent


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresReadiness(Readiness):
    """Compares the database's revision with the newest one that was shipped."""

    engine: Engine
    needed: str = field(default_factory=head_revision)

    @override
    def check(self) -> None:
        with single_statement(self.engine) as connection:
            found = MigrationContext.configure(connection).get_current_revision()
        if found != self.needed:
            raise SchemaNotCurrent(found, self.needed)
