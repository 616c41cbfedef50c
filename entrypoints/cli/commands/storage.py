"""`anichron storage`: the folders of originals."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from application.ports.page import PageRequest
from application.ports.storage_configs import StorageConfigChange
from domain.errors import InvalidInput
from domain.library.storage_config import FolderTaken, StorageConfig
from entrypoints.cli.commands.users import ready_container, user_id_of
from entrypoints.cli.container import CliContainer
from entrypoints.cli.tables import table_of, terminal

app = typer.Typer(no_args_is_help=True, help="Register the folders that are crawled.")
PAGE = 200


@app.command()
def add(
    login: Annotated[str, typer.Argument(metavar="USER")],
    path: Annotated[str, typer.Argument(metavar="PATH", help="absolute, as the Workers see it")],
    time_zone: Annotated[str | None, typer.Option(help="IANA name; default: this host's")] = None,
) -> None:
    """Register a folder of a user.

    Its crawl begins within seconds where a Worker is free: `anichron work watch` shows it.

    Example: anichron storage add anna /data/originals/anna --time-zone Europe/Berlin
    """
    container = ready_container()
    owner = user_id_of(container, login)
    with _faults_of(container, path):
        config = container.add_storage_config()(user_id=owner, root_path=path, time_zone=time_zone)
    typer.echo(f"registered {config.root_path} ({config.id})")
    if not Path(config.root_path).is_dir():
        typer.echo(
            f"note: {config.root_path} is no folder on this machine; a crawl fails until its Worker"
            " finds it there",
            err=True,
        )


@app.command("list")
def list_configs(
    as_json: Annotated[bool, typer.Option("--json", help="one JSON list")] = False,
) -> None:
    """List the folders of all users.

    Example: anichron storage list
    """
    container = ready_container()
    configs = _all(container)
    if as_json:
        typer.echo(json.dumps([_view(config) for config in configs], indent=2))
        return
    owners = container.users().find_many(frozenset(config.user_id for config in configs))
    rows = [
        (
            str(config.id),
            owners[config.user_id].name if config.user_id in owners else "-",
            "active" if config.is_active else "inactive",
            config.time_zone,
            config.root_path,
        )
        for config in configs
    ]
    terminal().print(table_of(("ID", "OWNER", "STATE", "TIME ZONE", "FOLDER"), rows))


@app.command()
def activate(config_id: UUID) -> None:
    """Crawl a folder again.

    Example: anichron storage activate 0198c0de-0000-7000-8000-000000000000
    """
    _set_active(config_id, True)


@app.command()
def deactivate(config_id: UUID) -> None:
    """Neither schedule nor run work on a folder.

    Example: anichron storage deactivate 0198c0de-0000-7000-8000-000000000000
    """
    _set_active(config_id, False)


@app.command()
def remove(
    config_id: UUID,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
) -> None:
    """Forget a folder and all that was found in it.

    The originals stay untouched.

    Example: anichron storage remove 0198c0de-0000-7000-8000-000000000000 --yes
    """
    if not yes:
        typer.confirm("Its memories, items and results go with it. Remove?", abort=True)
    ready_container().remove_storage_config()(config_id)
    typer.echo(f"removed {config_id}")


@contextmanager
def _faults_of(container: CliContainer, path: str) -> Iterator[None]:
    """In the words of the command: the rules speak of the API's fields and of ids."""
    try:
        yield
    except InvalidInput as error:
        if error.field == "rootPath":
            raise InvalidInput("PATH", f"{path} {error.reason}") from error
        raise
    except FolderTaken as taken:
        other = container.storage_configs().find(taken.other)
        if other is None:
            raise
        raise InvalidInput(
            "PATH", f"overlaps {other.root_path} ({other.id}); a folder can be registered once only"
        ) from taken


def _set_active(config_id: UUID, is_active: bool) -> None:
    ready_container().change_storage_config()(config_id, StorageConfigChange(is_active=is_active))
    typer.echo(f"{'activated' if is_active else 'deactivated'} {config_id}")


def _all(container: CliContainer) -> list[StorageConfig]:
    configs: list[StorageConfig] = []
    number = 1
    while page := container.list_storage_configs()(PageRequest(number=number, size=PAGE)).items:
        configs += page
        number += 1
    return configs


def _view(config: StorageConfig) -> dict[str, object]:
    return {
        "id": str(config.id),
        "userId": str(config.user_id),
        "rootPath": config.root_path,
        "timeZone": config.time_zone,
        "isActive": config.is_active,
    }
