"""Work items as tables for a terminal."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from rich.console import RenderableType
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from entrypoints.cli.work.names import NO_FOLDER, Names, last_name, short
from entrypoints.cli.work.queue_client import Item
from entrypoints.cli.work.words import (
    ago,
    clean,
    is_silent,
    lasted,
    progress_of,
    silence,
    span,
    status_of,
    style_of,
)

BAR_WIDTH = 10
COUNT_WIDTH = 12
ID_WIDTH = 36
WIDE = 120
ROOMY = 140


def listed(
    items: Iterable[Item], now: datetime, lease: timedelta, width: int, names: Names
) -> Table:
    """A page of the list. 120 columns have room for all but who asked, which `show` has too."""
    has_requesters = width >= ROOMY
    heads = ["ID", "KIND", "FOLDER", "STATUS", "REQUESTED", "LASTED", "PROGRESS"]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in [*heads, *(["BY"] if has_requesters else [])]:
        table.add_column(name, no_wrap=name in {"ID", "STATUS"}, overflow="fold")
    for item in items:
        folder = names.folder(item)
        table.add_row(
            item["id"],
            clean(item["kind"]),
            short(folder) if has_requesters else last_name(folder),
            _status(item, now, lease),
            ago(item["requestedAt"], now),
            lasted(item, now),
            progress_of(item),
            *([names.requester(item)] if has_requesters else []),
        )
    return table


def live(items: Iterable[Item], now: datetime, lease: timedelta, width: int, names: Names) -> Table:
    """What `watch` shows: a bar for what runs, and what its Worker says or does not say.

    A terminal of 80 columns has room for all but the ids, which `list` has too.
    """
    has_ids = width >= WIDE
    table = Table(box=None, pad_edge=False, header_style="bold", expand=True)
    if has_ids:
        table.add_column("ID", no_wrap=True, min_width=ID_WIDTH)
    for name, room in (("KIND", 10), ("STATUS", 13), ("LASTED", 8), ("PROGRESS", BAR_WIDTH)):
        table.add_column(name, no_wrap=True, min_width=room)
    table.add_column("", no_wrap=True, min_width=COUNT_WIDTH)
    table.add_column("NOTE", no_wrap=True, overflow="ellipsis", ratio=1)
    for item in items:
        table.add_row(
            *([item["id"]] if has_ids else []),
            clean(item["kind"]),
            _status(item, now, lease),
            lasted(item, now),
            _bar(item),
            progress_of(item),
            _note(item, names.folder(item)),
        )
    return table


def _status(item: Item, now: datetime, lease: timedelta) -> Text:
    """A Worker that gives no sign is more than a word of its item."""
    if is_silent(item, lease, now):
        return Text(f"▶ silent {span(silence(item, lease, now))}", "yellow")
    return Text(status_of(item), style_of(item))


def _bar(item: Item) -> RenderableType:
    done, total = item["progress"]["done"], item["progress"]["total"]
    if item["status"] != "Running":
        return ""
    if done is None or not total:
        return ProgressBar(total=None, pulse=True, width=BAR_WIDTH)
    return ProgressBar(total=total, completed=min(done, total), width=BAR_WIDTH)


def _note(item: Item, folder: str) -> Text:
    """The folder's own name comes first: many crawls look alike otherwise."""
    said = item.get("error") or item["progress"]["note"]
    where = None if folder == NO_FOLDER else last_name(folder)
    words = ": ".join(filter(None, (where, clean(said or ""))))
    return Text(words, "red" if item["status"] == "Failed" else "")
