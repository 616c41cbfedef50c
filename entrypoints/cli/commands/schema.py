"""`anichron migrate`: bring the database to this release's schema."""

import typer

from domain.errors import DatabaseUnavailable
from entrypoints.cli.check_running import NotRunning
from entrypoints.cli.container import CliContainer
from entrypoints.common.settings import Settings


def migrate() -> None:
    """Bring the database's schema up to date.

    Many hosts may do so at once. `anichron up` does it by itself.

    Example: POSTGRES_CONNECTION__HOST=db anichron migrate
    """
    settings = Settings()
    container = CliContainer(settings=settings)
    try:
        refusal = container.migrate()
    except DatabaseUnavailable:
        if settings.is_embedded() and not container.embedded_server().is_there():
            raise NotRunning(settings.home) from None
        raise
    typer.echo("the schema is up to date")
    if refusal:
        typer.echo(f"the hosts have no roles of their own: {refusal}", err=True)
    else:
        container.set_role_passwords()
