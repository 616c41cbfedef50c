"""Work items as tables for a terminal."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from rich.console import Console, RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from entrypoints.cli.work.queue_client import Item
from entrypoints.cli.work.words import (
    ago,
    clean,
    lasted,
    progress_of,
    requester_of,
    silence,
    span,
    status_of,
    style_of,
)

PIPED_WIDTH = 200
BAR_WIDTH = 16
QUIET_SECONDS = 10.0
"""A Worker gives a sign every 2 s; one that is silent for longer is pointed out."""


def terminal() -> Console:
    """Standard output; what is piped elsewhere is not cut to the width of a terminal."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    return console


def listed(items: Iterable[Item], now: datetime) -> Table:
    """A page of the list."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("ID", "KIND", "STATUS", "REQUESTED", "BY", "LASTED", "PROGRESS"):
        table.add_column(name, no_wrap=name in {"ID", "STATUS"}, overflow="fold")
    for item in items:
        table.add_row(
            item["id"],
            clean(item["kind"]),
            Text(status_of(item), style_of(item)),
            ago(item["requestedAt"], now),
            requester_of(item),
            lasted(item, now),
            progress_of(item),
        )
    return table


def live(items: Iterable[Item], now: datetime, lease: timedelta) -> Table:
    """What `watch` shows: a bar for what runs, and what its Worker says or does not say."""
    table = Table(box=None, pad_edge=False, header_style="bold", expand=True)
    for name in ("ID", "KIND", "STATUS", "LASTED", "PROGRESS", "", "NOTE"):
        table.add_column(name, no_wrap=True, overflow="ellipsis")
    for item in items:
        table.add_row(
            item["id"],
            clean(item["kind"]),
            Text(status_of(item), style_of(item)),
            lasted(item, now),
            _bar(item),
            progress_of(item),
            _note(item, now, lease),
        )
    return table


def _bar(item: Item) -> RenderableType:
    done, total = item["progress"]["done"], item["progress"]["total"]
    if item["status"] != "Running":
        return ""
    if done is None or not total:
        return ProgressBar(total=None, pulse=True, width=BAR_WIDTH)
    return ProgressBar(total=total, completed=min(done, total), width=BAR_WIDTH)


def _note(item: Item, now: datetime, lease: timedelta) -> Text:
    silent = silence(item, lease, now)
    if silent > QUIET_SECONDS:
        return Text(f"the Worker is silent for {span(silent)}", "yellow")
    said = item.get("error") or item["progress"]["note"] or ""
    return Text(clean(said), "red" if item["status"] == "Failed" else "")
