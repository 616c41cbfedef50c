"""Brings a database to this release's schema, and says how far a database is."""

from importlib.resources import files

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from adapters.postgres.connections import single_statement
from application.ports.readiness import SchemaNotCurrent

# Hosts may migrate at the same time; one does, the others wait and find nothing to do.
LOCK_KEY = 2_760_001
# A release whose schema also serves older ones says so beside the revision, for those to read.
SERVES = "also serves: "
MARK = "SERVES_OLDER_RELEASES"
"""A migration's own constant: the release before it can go on with what it makes."""
HEAD = "head"


def head_revision() -> str:
    """The newest revision that this release knows."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    assert head is not None  # noqa: S101  # the package ships its migrations
    return head


def current_revision(engine: Engine) -> str | None:
    """The revision that the database is at; None when it was never migrated."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def served_by(connection: Connection) -> frozenset[str]:
    """The older revisions whose releases the database's schema serves too, as it was marked."""
    comment: str | None = connection.scalar(
        text("SELECT obj_description(to_regclass('alembic_version'), 'pg_class')")
    )
    if comment is None or not comment.startswith(SERVES):
        return frozenset()
    return frozenset(comment.removeprefix(SERVES).split())


def serves_older() -> list[str]:
    """The revisions before this release's whose releases can go on, the newest first.

    Those that lie behind nothing but migrations which say so of themselves.
    """
    found = []
    for script in ScriptDirectory.from_config(_config()).walk_revisions():
        if not getattr(script.module, MARK, False) or not isinstance(script.down_revision, str):
            break
        found.append(script.down_revision)
    return found


def is_known(revision: str) -> bool:
    """Whether this release has the revision (a newer release's it has not)."""
    known = ScriptDirectory.from_config(_config()).walk_revisions()
    return revision in {script.revision for script in known}


def migrate(engine: Engine, revision: str = HEAD) -> str | None:
    """Upgrade to the revision; safe to call from many hosts at once.

    At the newest revision, the hosts' roles are made and given their rights. Says why that was not
    possible, where it wasn't: hosts are served under the owner's role then. SchemaNotCurrent where
    a newer release has been here; DatabaseUnavailable.
    """
    with single_statement(engine) as guard:
        guard.execute(text("SELECT pg_advisory_lock(:key)"), {"key": LOCK_KEY})
        try:
            with engine.connect() as connection:
                _refuse_newer(connection)
                _upgrade(connection, revision)
                if revision == HEAD:
                    _mark(connection)
                return _grant_roles(connection) if revision == HEAD else None
        finally:
            guard.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": LOCK_KEY})


def _mark(connection: Connection) -> None:
    """What the older releases among the hosts read. Words of ours only, which need no quoting."""
    older = serves_older()
    comment = f"'{SERVES}{' '.join(older)}'" if older else "NULL"
    with connection.begin():
        connection.execute(text(f"COMMENT ON TABLE alembic_version IS {comment}"))


def _refuse_newer(connection: Connection) -> None:
    found = MigrationContext.configure(connection).get_current_revision()
    if found is not None and not is_known(found):
        raise SchemaNotCurrent(found, head_revision())


def _upgrade(connection: Connection, revision: str) -> None:
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
    connection.commit()


def _grant_roles(connection: Connection) -> str | None:
    with connection.begin():
        refusal: str | None = connection.scalar(text("SELECT grant_roles()"))
        return refusal


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("migrations")).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
