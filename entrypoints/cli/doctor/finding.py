"""What an examination finds, and what to do about it."""

from dataclasses import dataclass
from enum import StrEnum


class Check(StrEnum):
    """What is looked at, in this order."""

    DATABASE = "database"
    SCHEMA = "schema"
    CLOCK = "clock"
    ORIGINALS = "originals"
    FOLDERS = "folders"
    PROXIES = "proxies"
    WORKER = "worker"


class State(StrEnum):
    OK = "ok"
    WRONG = "wrong"
    UNKNOWN = "unknown"
    """It could not be looked at, because of something else that is wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check. `advice` is what to do, where it is not ok."""

    check: Check
    state: State
    said: str
    advice: str | None = None


def ok(check: Check, said: str) -> Finding:
    return Finding(check=check, state=State.OK, said=said)


def wrong(check: Check, said: str, advice: str) -> Finding:
    return Finding(check=check, state=State.WRONG, said=said, advice=advice)


def unknown(check: Check) -> Finding:
    return Finding(check=check, state=State.UNKNOWN, said="not looked at: needs the database")
