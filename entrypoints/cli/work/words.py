"""A work item in words, as a person reads them on a terminal."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from entrypoints.cli.work.queue_client import Item

MINUTE, HOUR, DAY = 60, 3_600, 86_400
QUIET_SECONDS = 10.0
"""A Worker gives a sign every 2 s; one that is silent for longer is pointed out."""
SIGNS = {
    "Queued": "·",
    "Running": "▶",
    "Succeeded": "✓",
    "Failed": "✗",
    "Cancelled": "■",
}
STYLES = {"Running": "cyan", "Succeeded": "green", "Failed": "red", "Cancelled": "dim"}


def clean(text: object) -> str:
    """Without what a terminal would obey: notes and errors come from elsewhere."""
    return "".join(
        each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in str(text)
    )


def instant(text: str) -> datetime:
    """An instant as the API writes it."""
    return datetime.fromisoformat(text)


def span(seconds: float) -> str:
    """A length of time in one unit, or in two where the second matters."""
    whole = max(0, round(seconds))
    if whole < MINUTE:
        return f"{whole} s"
    if whole < HOUR:
        return f"{whole // MINUTE} min {whole % MINUTE:02d} s"
    if whole < DAY:
        return f"{whole // HOUR} h {whole % HOUR // MINUTE:02d} min"
    return f"{whole // DAY} d {whole % DAY // HOUR} h"


def ago(text: str, now: datetime) -> str:
    """How long it is past, in one unit."""
    number, unit, *_ = span((now - instant(text)).total_seconds()).split()
    return f"{number} {unit} ago"


def status_of(item: Item) -> str:
    """Its sign and its word; a running item whose end was asked for is cancelling."""
    status = item["status"]
    if status == "Running" and item["cancelRequestedAt"]:
        return "▶ Cancelling"
    return f"{SIGNS.get(status, '?')} {clean(status)}"


def style_of(item: Item) -> str:
    return STYLES.get(item["status"], "")


def lasted(item: Item, now: datetime) -> str:
    """How long the newest attempt has run, or ran; empty where it has not begun."""
    if not item["startedAt"]:
        return ""
    end = instant(item["finishedAt"]) if item["finishedAt"] else now
    return span((end - instant(item["startedAt"])).total_seconds())


def progress_of(item: Item) -> str:
    done, total = item["progress"]["done"], item["progress"]["total"]
    if done is None or (not done and total is None and item["finishedAt"]):
        return ""  # a kind that never counts
    return f"{done:,}" if total is None else f"{done:,} of {total:,}"


def details(item: Item, folder: str, requester: str, lease: timedelta) -> Iterator[tuple[str, str]]:
    """Everything that an item tells, a line each; what is not there is left out.

    `lease` is how long one sign of its Worker holds.
    """
    now = instant(item["serverTime"])
    facts: list[tuple[str, Any]] = [
        ("id", item["id"]),
        ("kind", item["kind"]),
        ("status", status_of(item)),
        ("folder", folder),
        ("requested", f"{_second(item['requestedAt'])}, {requester}"),
        ("started", _second(item["startedAt"])),
        ("finished", _second(item["finishedAt"])),
        ("lasted", lasted(item, now)),
        ("worker", item["claimedBy"]),
        ("attempt", item["attempt"] or None),
        ("stalls", item["stalls"] or None),
        ("lease until", _second(item["leaseUntil"])),
        ("silent for", span(silence(item, lease, now)) if is_silent(item, lease, now) else None),
        ("cancel asked", _second(item["cancelRequestedAt"])),
        ("progress", progress_of(item)),
        ("note", item["progress"]["note"]),
        ("error", item.get("error")),
    ]
    return ((name, clean(value)) for name, value in facts if value)


def _second(text: str | None) -> str | None:
    return None if text is None else f"{instant(text):%Y-%m-%d %H:%M:%S} UTC"


def silence(item: Item, lease: timedelta, now: datetime) -> float:
    """For how many seconds its Worker has given no sign; `lease` is how long one sign holds."""
    if item["status"] != "Running" or not item["leaseUntil"]:
        return 0.0
    return (lease - (instant(item["leaseUntil"]) - now)).total_seconds()


def is_silent(item: Item, lease: timedelta, now: datetime) -> bool:
    """Whether its Worker has given no sign for so long that it has to be said."""
    return silence(item, lease, now) > QUIET_SECONDS
