"""`anichron users`: who may log in."""

import json
import secrets
from typing import Annotated
from uuid import UUID

import typer

from application.ports.page import PageRequest
from application.use_cases.manage_users import RequestedUserChange
from domain.errors import NotFound
from domain.identity.user import User, composed_login
from entrypoints.cli.container import CliContainer
from entrypoints.cli.tables import table_of, terminal
from entrypoints.common.settings import Settings

app = typer.Typer(no_args_is_help=True, help="Add, list, disable users and reset passwords.")
PAGE = 200


@app.command()
def add(
    name: str,
    email: str,
    admin: Annotated[bool, typer.Option("--admin", help="may use the admin API")] = False,
    password: Annotated[
        str | None, typer.Option(envvar="ANICHRON_PASSWORD", help="unset = one is made and shown")
    ] = None,
) -> None:
    """Add a user.

    Example: anichron users add anna anna@example.org --admin
    """
    chosen = password or secrets.token_urlsafe(18)
    user = ready_container().add_user()(name=name, email=email, password=chosen, is_admin=admin)
    typer.echo(f"added {user.name} ({user.id})")
    if password is None:
        typer.echo(f"password: {chosen}")


@app.command("list")
def list_users(
    as_json: Annotated[bool, typer.Option("--json", help="one JSON list")] = False,
) -> None:
    """List the users.

    Example: anichron users list --json
    """
    users = list(_all(ready_container()))
    if as_json:
        typer.echo(json.dumps([_view(user) for user in users], indent=2))
        return
    rows = [
        (
            str(user.id),
            user.name,
            user.email,
            "admin" if user.is_admin else "member",
            "disabled" if user.is_disabled else "enabled",
        )
        for user in users
    ]
    terminal().print(table_of(("ID", "NAME", "E-MAIL", "ROLE", "STATE"), rows))


@app.command()
def disable(login: str) -> None:
    """Disable a user.

    Their log-ins end, and their folders are not crawled.

    Example: anichron users disable anna
    """
    _change(login, RequestedUserChange(is_disabled=True))
    typer.echo(f"disabled {login}")


@app.command("reset-password")
def reset_password(
    login: str,
    password: Annotated[
        str | None, typer.Option(envvar="ANICHRON_PASSWORD", help="unset = one is made and shown")
    ] = None,
) -> None:
    """Give a user a new password.

    Their log-ins end.

    Example: anichron users reset-password anna
    """
    chosen = password or secrets.token_urlsafe(18)
    _change(login, RequestedUserChange(password=chosen))
    typer.echo(f"the password of {login} is changed")
    if password is None:
        typer.echo(f"password: {chosen}")


def user_id_of(container: CliContainer, login: str) -> UUID:
    """The id of the user with this name or e-mail; NotFound."""
    found = container.users().find_credentials(composed_login(login))
    if found is None:
        raise NotFound(f"there is no user named {login}")
    user_id: UUID = found.user.id
    return user_id


def _change(login: str, change: RequestedUserChange) -> None:
    container = ready_container()
    container.change_user()(user_id_of(container, login), change)


def _all(container: CliContainer) -> list[User]:
    users: list[User] = []
    number = 1
    while page := container.list_users()(PageRequest(number=number, size=PAGE)).items:
        users += page
        number += 1
    return users


def _view(user: User) -> dict[str, object]:
    return {
        "id": str(user.id),
        "name": user.name,
        "email": user.email,
        "isAdmin": user.is_admin,
        "isDisabled": user.is_disabled,
    }


def ready_container() -> CliContainer:
    """The container, once the database answers and has this release's schema."""
    container = CliContainer(settings=Settings())
    container.check_readiness()()
    return container
