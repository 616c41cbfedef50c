"""The `anichron` command. Each command is a thin layer over a use case or a host."""

import io
import os
import sys
from collections.abc import Callable

import typer
from pydantic import ValidationError
from pydantic_settings import SettingsError

from domain.errors import DomainError
from entrypoints.cli.commands import doctor, hosts, schema, settings, storage, users, work
from entrypoints.cli.exit_codes import Exit, exit_of
from entrypoints.cli.faults import explained
from entrypoints.cli.setting_names import misspelt
from entrypoints.cli.usage import Complaint, of_usage

EXIT_CODES = (
    "Exit codes: 0 done; 1 not done (you said no, the doctor found something, the item had"
    " finished); 2 a wrong command, value or setting; 3 the database or the API is away;"
    " 4 the API refused the log-in; 130 Ctrl-C."
)

app = typer.Typer(
    name="anichron",
    help="Self-hosted flashbacks: your photos and videos on the day they happened.",
    epilog=EXIT_CODES,
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
app.command("doctor")(doctor.doctor)
app.add_typer(users.app, name="users")
app.add_typer(storage.app, name="storage")
app.add_typer(work.app, name="work")


def main() -> None:
    """Run the command; a person gets one line on stderr and an exit code, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that has no ✓ shows a ?
    for line in misspelt(os.environ):
        typer.echo(line, err=True)
    sys.exit(_status_of(app))


def _status_of(command: Callable[..., object]) -> int:
    """What the command exits with; typer by itself would tell a complaint in four lines."""
    try:
        status = command(prog_name=app.info.name, standalone_mode=False)
    except (ValidationError, SettingsError, DomainError, OSError) as error:
        typer.echo(explained(error), err=True)
        return exit_of(error)
    except typer.Abort:
        typer.echo("nothing was done", err=True)
        return Exit.NOT_DONE
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except Exception as error:
        if not isinstance(error, Complaint):
            raise
        typer.echo(of_usage(error), err=True)
        return error.exit_code
    return status if isinstance(status, int) else Exit.DONE


if __name__ == "__main__":
    main()
