"""`anichron storage`: the folders of originals."""

import json
from typing import Annotated
from uuid import UUID

import typer

from application.ports.page import PageRequest
from application.ports.storage_configs import StorageConfigChange
from domain.library.storage_config import StorageConfig
from entrypoints.cli.commands.users import ready_container, user_id_of
from entrypoints.cli.container import CliContainer

app = typer.Typer(no_args_is_help=True, help="Register the folders that are crawled.")
PAGE = 200


@app.command()
def add(
    login: Annotated[str, typer.Argument(metavar="USER")],
    path: str,
    time_zone: Annotated[str | None, typer.Option(help="IANA name; default: this host's")] = None,
) -> None:
    """Register a folder of a user; its crawl is queued within seconds.

    Example: anichron storage add anna /data/originals/anna --time-zone Europe/Berlin
    """
    container = ready_container()
    owner = user_id_of(container, login)
    config = container.add_storage_config()(user_id=owner, root_path=path, time_zone=time_zone)
    typer.echo(f"registered {config.root_path} ({config.id})")


@app.command("list")
def list_configs(
    as_json: Annotated[bool, typer.Option("--json", help="one JSON list")] = False,
) -> None:
    """List the folders of all users.

    Example: anichron storage list
    """
    configs = _all(ready_container())
    if as_json:
        typer.echo(json.dumps([_view(config) for config in configs], indent=2))
        return
    for config in configs:
        mark = "" if config.is_active else "  inactive"
        typer.echo(f"{config.id}  {config.user_id}  {config.root_path}  {config.time_zone}{mark}")


@app.command()
def activate(config_id: UUID) -> None:
    """Crawl the folder again.

    Example: anichron storage activate 0198c0de-0000-7000-8000-000000000000
    """
    _set_active(config_id, True)


@app.command()
def deactivate(config_id: UUID) -> None:
    """Neither schedule nor run work on the folder.

    Example: anichron storage deactivate 0198c0de-0000-7000-8000-000000000000
    """
    _set_active(config_id, False)


@app.command()
def remove(
    config_id: UUID,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask")] = False,
) -> None:
    """Forget the folder with all that was found in it; the originals stay untouched.

    Example: anichron storage remove 0198c0de-0000-7000-8000-000000000000 --yes
    """
    if not yes:
        typer.confirm("Its memories, items and results go with it. Remove?", abort=True)
    ready_container().remove_storage_config()(config_id)
    typer.echo(f"removed {config_id}")


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
