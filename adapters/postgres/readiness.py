"""Looks whether PostgreSQL answers and is at this release's schema."""

from dataclasses import dataclass, field

from alembic.migration import MigrationContext
from sqlalchemy import Engine
from typing_extensions import override

from adapters.postgres.connections import single_statement
from adapters.postgres.schema import head_revision, served_by
from application.ports.readiness import Readiness, SchemaNotCurrent


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresReadiness(Readiness):
    """Compares the database's revision with the newest one that was shipped.

    A newer schema will do where the release that made it marked it so.
    """

    engine: Engine
    needed: str = field(default_factory=head_revision)

    @override
    def check(self) -> None:
        with single_statement(self.engine) as connection:
            found = MigrationContext.configure(connection).get_current_revision()
            if found == self.needed:
                return
            is_served = found is not None and self.needed in served_by(connection)
        if not is_served:
            raise SchemaNotCurrent(found, self.needed)
