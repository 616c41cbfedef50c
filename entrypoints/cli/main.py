"""The `anichron` command. Each command is a thin layer over a use case or a host."""

import sys
from collections.abc import Callable

import typer
from pydantic import ValidationError
from pydantic_settings import SettingsError

from domain.errors import DomainError
from entrypoints.cli.commands import hosts, schema, settings, storage, users
from entrypoints.cli.faults import explained

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="anichron",
    help="Self-hosted flashbacks: your photos and videos on the day they happened.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("up")(hosts.up)
app.command("api")(hosts.api)
app.command("worker")(hosts.worker)
app.command("migrate")(schema.migrate)
app.command("settings")(settings.show)
app.add_typer(users.app, name="users")
app.add_typer(storage.app, name="storage")


def main() -> None:
    """Run the command; a person gets one line on stderr and exit code 2, never a traceback."""
    sys.exit(_status_of(app))


def _status_of(command: Callable[[], object]) -> int:
    """What is left to us: typer itself exits with a command's status, and complains of usage."""
    try:
        command()
    except (ValidationError, SettingsError, DomainError, OSError) as error:
        return _complain(explained(error))
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return 0


def _complain(line: str) -> int:
    typer.echo(line, err=True)
    return EXIT_BAD_INPUT


if __name__ == "__main__":
    main()
