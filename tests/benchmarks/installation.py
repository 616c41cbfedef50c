"""A database as `make run` starts it, with libraries in it."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID, uuid4

from sqlalchemy import Engine, text

from adapters.embedded_postgres.server import EmbeddedPostgres
from adapters.postgres.engine import ConnectionLimits, PostgresAddress, create_postgres_engine
from adapters.postgres.schema import migrate


@dataclass(frozen=True, slots=True)
class Installation:
    """Everything below `base`, which goes afterwards."""

    base: Path
    address: PostgresAddress
    engine: Engine

    def run(self, statement: str, **parameters: object) -> None:
        with self.engine.begin() as connection:
            connection.execute(text(statement), parameters)

    def maintain(self) -> None:
        """What autovacuum does within a minute of a large change."""
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM (ANALYZE)"))
            connection.execute(text("CHECKPOINT"))

    def add_library(self, root: Path) -> UUID:
        """An empty library of a new user; what the folder held before is forgotten."""
        user, config = uuid4(), uuid4()
        self.run("DELETE FROM work_items")
        self.run("DELETE FROM storage_configs WHERE root_path = :root", root=str(root))
        self.run(
            "INSERT INTO users (id, name, email, password_hash) VALUES (:id, :name, :name, 'x')",
            id=user,
            name=user.hex,
        )
        self.run(
            "INSERT INTO storage_configs (id, user_id, root_path, time_zone)"
            " VALUES (:id, :user, :root, 'Europe/Berlin')",
            id=config,
            user=user,
            root=str(root),
        )
        return config

    def claim(self, config: UUID) -> UUID:
        """A running item of the crawl, as the queue leaves it after a claim."""
        item = uuid4()
        self.run(
            "INSERT INTO work_items (id, kind, payload, storage_config_id, status, attempt,"
            " lease_until) VALUES (:id, 'Crawl', '{}', :config, 'Running', 1,"
            " clock_timestamp() + interval '1 h')",
            id=item,
            config=config,
        )
        return item


@contextmanager
def installation() -> Iterator[Installation]:
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        base = Path(name)
        base.chmod(0o755)
        server = EmbeddedPostgres(base=base / "postgres")
        try:
            server.start()
            yield _with_database(base, server)
        finally:
            server.stop()


def _with_database(base: Path, server: EmbeddedPostgres) -> Installation:
    server.ensure_database("anichron")
    address = PostgresAddress(
        host=str(server.socket_directory), port=5432, dbname="anichron", user="anichron"
    )
    engine = create_postgres_engine(address, ConnectionLimits(), "benchmark")
    migrate(engine)
    return Installation(base, address, engine)
