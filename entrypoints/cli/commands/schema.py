"""`anichron migrate`: bring the database to this release's schema."""

import typer

from entrypoints.cli.container import CliContainer
from entrypoints.common.settings import Settings


def migrate() -> None:
    """Upgrade the database's schema; many hosts may do so at once.

    Example: POSTGRES_CONNECTION__HOST=db anichron migrate
    """
    container = CliContainer(settings=Settings())
    refusal = container.migrate()
    typer.echo("the schema is up to date")
    if refusal:
        typer.echo(f"the hosts have no roles of their own: {refusal}", err=True)
    else:
        container.set_role_passwords()
