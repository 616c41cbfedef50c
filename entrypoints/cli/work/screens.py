"""Three ways to show what is watched: a live table, lines of text, lines of JSON."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime

import typer
from rich.live import Live
from typing_extensions import override

from entrypoints.cli.api_client.event_stream import ServerEvent
from entrypoints.cli.work.names import Names
from entrypoints.cli.work.queue_client import Item
from entrypoints.cli.work.tables import live
from entrypoints.cli.work.watched import Watched
from entrypoints.cli.work.watching import Screen
from entrypoints.cli.work.words import clean, progress_of, status_of


@dataclass(frozen=True, slots=True)
class LiveScreen(Screen):
    """A table that is drawn anew with each event; the leases bring one every 2 s."""

    live: Live
    names: Names

    @override
    def listed(self, watched: Watched) -> None:
        self._draw(watched)

    @override
    def changed(self, watched: Watched, event: ServerEvent, item: Item | None) -> None:
        self._draw(watched)

    @override
    def lost(self, reason: str) -> None:
        self.live.console.print(f"{clean(reason)}; trying again", style="yellow")

    def _draw(self, watched: Watched) -> None:
        now = watched.now() or datetime.now(UTC)
        width = self.live.console.width
        self.live.update(live(watched.rows(), now, watched.lease, width, self.names))


class LineScreen(Screen):
    """A line for each change, for logs and pipes."""

    @override
    def listed(self, watched: Watched) -> None:
        for item in reversed(watched.rows()):
            typer.echo(_line(item))

    @override
    def changed(self, watched: Watched, event: ServerEvent, item: Item | None) -> None:
        if item is not None:
            typer.echo(_line(item))

    @override
    def lost(self, reason: str) -> None:
        typer.echo(f"{clean(reason)}; trying again", err=True)


class JsonScreen(LineScreen):
    """The items of the list, then every event as it came: a JSON object a line."""

    @override
    def listed(self, watched: Watched) -> None:
        for item in reversed(watched.rows()):
            _tell("work-item", item)

    @override
    def changed(self, watched: Watched, event: ServerEvent, item: Item | None) -> None:
        if event.name == "work-item" and item is None:
            return  # the filter does not take it
        if event.name:
            _tell(event.name, json.loads(event.data))


def _tell(name: str, data: object) -> None:
    typer.echo(json.dumps({"event": name, "data": data}))


def _line(item: Item) -> str:
    said = item.get("error") or item["progress"]["note"] or ""
    parts = (item["updatedAt"], item["id"], clean(item["kind"]), status_of(item), progress_of(item))
    return "  ".join([*filter(None, parts), *([clean(said)] if said else [])])
