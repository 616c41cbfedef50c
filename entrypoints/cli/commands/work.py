"""`anichron work`: the queue, as an admin sees it, through the API."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, TypeAlias
from uuid import UUID

import typer
from rich.live import Live

from domain.work.status import WorkStatus
from entrypoints.cli.api_client.log_in import LogIn, PasswordFile, PlainHttp, Url, User
from entrypoints.cli.exit_codes import Exit
from entrypoints.cli.first_run import ADMIN
from entrypoints.cli.tables import terminal
from entrypoints.cli.work.names import Names
from entrypoints.cli.work.queue_client import QueueClient, Which
from entrypoints.cli.work.screens import JsonScreen, LineScreen, LiveScreen
from entrypoints.cli.work.tables import listed
from entrypoints.cli.work.watched import Watched
from entrypoints.cli.work.watching import Screen, Watching
from entrypoints.cli.work.words import details, instant, status_of

app = typer.Typer(
    no_args_is_help=True,
    help="See and cancel what the Workers do. An admin's name and password are needed; nothing of"
    " the log-in is kept.",
)
WATCHED_AT_MOST = 40
REDRAWS_PER_SECOND = 4

Statuses: TypeAlias = Annotated[
    list[WorkStatus] | None,
    typer.Option(
        "--status",
        metavar="STATUS",
        case_sensitive=False,
        help="Queued, Running, Succeeded, Failed or Cancelled; may be given several times",
    ),
]
Kinds: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--kind", metavar="KIND", help="such as Crawl; may be given several times"),
]


@contextmanager
def _client(
    url: str | None, user: str, password_file: PasswordFile, plain_http: bool
) -> Iterator[QueueClient]:
    log_in = LogIn(url=url, user=user, password_file=password_file, plain_http=plain_http)
    with log_in.session() as session:
        yield QueueClient(session=session)


def _which(statuses: list[WorkStatus] | None, kinds: list[str] | None) -> Which:
    return Which(statuses=[each.value for each in statuses or []], kinds=kinds or [])


@app.command("list")
def list_items(
    *,
    status: Statuses = None,
    kind: Kinds = None,
    page: Annotated[int, typer.Option(min=1)] = 1,
    page_size: Annotated[int, typer.Option(min=1, max=200)] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="the API's answer as it is")] = False,
    url: Url = None,
    user: User = ADMIN,
    password_file: PasswordFile = None,
    plain_http: PlainHttp = False,
) -> None:
    """List work items, the newest request first.

    Example: anichron work list --status Running --status Queued
    """
    with _client(url, user, password_file, plain_http) as client:
        found = client.page(_which(status, kind), number=page, size=page_size)
        if as_json:
            typer.echo(json.dumps(found, indent=2))
            return
        console, now = terminal(), instant(found["serverTime"])
        names, lease = Names(client=client), client.lease()
        console.print(listed(found["items"], now, lease, console.width, names))
    more = "at least " if found["totalIsCapped"] else ""
    typer.echo(f"{len(found['items'])} of {more}{found['total']}", err=True)


@app.command()
def show(
    item_id: UUID,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="the API's answer as it is")] = False,
    url: Url = None,
    user: User = ADMIN,
    password_file: PasswordFile = None,
    plain_http: PlainHttp = False,
) -> None:
    """Show one item in full.

    Example: anichron work show 0198c0de-0000-7000-8000-000000000000
    """
    with _client(url, user, password_file, plain_http) as client:
        item = client.item(item_id)
        if as_json:
            typer.echo(json.dumps(item, indent=2))
            return
        names = Names(client=client)
        who = names.folder(item), names.requester(item)
        facts = list(details(item, *who, client.lease()))
    for name, value in facts:
        typer.echo(f"{name:<13} {value}")
    if item.get("result") is not None:
        partial = " (partial: it was cancelled)" if item.get("resultIsPartial") else ""
        typer.echo(f"result{partial}\n{json.dumps(item['result'], indent=2)}")


@app.command()
def watch(
    *,
    status: Statuses = None,
    kind: Kinds = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="an object a line: {event, data}")
    ] = False,
    url: Url = None,
    user: User = ADMIN,
    password_file: PasswordFile = None,
    plain_http: PlainHttp = False,
) -> None:
    """Follow the queue live, until Ctrl-C.

    A table on a terminal; elsewhere a line a change.

    Example: anichron work watch --kind Crawl
    """
    console = terminal()
    watched = Watched(which=_which(status, kind), most=WATCHED_AT_MOST)
    with _client(url, user, password_file, plain_http) as client:
        if as_json or not console.is_terminal:
            _watch(client, watched, JsonScreen() if as_json else LineScreen())
            return
        with Live(console=console, refresh_per_second=REDRAWS_PER_SECOND) as live:
            _watch(client, watched, LiveScreen(live, Names(client=client)))


def _watch(client: QueueClient, watched: Watched, screen: Screen) -> None:
    Watching(client=client, watched=watched, screen=screen)()


@app.command()
def cancel(
    item_ids: Annotated[list[UUID], typer.Argument(metavar="ID...")],
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="the items as they are then, as one list")
    ] = False,
    url: Url = None,
    user: User = ADMIN,
    password_file: PasswordFile = None,
    plain_http: PlainHttp = False,
) -> None:
    """Cancel one item or several.

    A queued one is cancelled at once, a running one when its Worker notices: within seconds.
    What it has done so far stays. Exit code 1 where one had finished already; the others are
    cancelled all the same.

    Example: anichron work cancel 0198c0de-0000-7000-8000-000000000000
    """
    with _client(url, user, password_file, plain_http) as client:
        answers = [client.cancel(item_id) for item_id in item_ids]
    if as_json:
        typer.echo(json.dumps([answer.item for answer in answers], indent=2))
    for answer in answers if not as_json else ():
        if not answer.had_finished:
            typer.echo(f"{answer.item['id']}  {status_of(answer.item)}")
    late = [str(answer.item["id"]) for answer in answers if answer.had_finished]
    if late:
        typer.echo(f"had finished already: {', '.join(late)}", err=True)
        raise typer.Exit(Exit.NOT_DONE)
