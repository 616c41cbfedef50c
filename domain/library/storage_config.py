"""One folder of one user's originals, and the rules for where it may lie."""

import functools
import posixpath
import unicodedata
import zoneinfo
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from domain.errors import Conflict, InvalidInput

ROOT_PATH_LIMIT_BYTES = 2_000
# Names that the files have beside zones: what they mean depends on the host, or nothing.
NO_ZONES = frozenset({"localtime", "posixrules", "Factory"})
UNSTORABLE = frozenset({"Cc", "Cs"})


class FolderTaken(Conflict):
    """Another config has this folder, a folder above it or one below it."""

    def __init__(self, other: UUID) -> None:
        super().__init__(
            f"rootPath: overlaps the folder of storage config {other}; a folder belongs to one only"
        )
        self.other = other


class ConfigInactive(Conflict):
    """No Worker would claim the config's crawl: it was deactivated, or its owner disabled."""

    def __init__(self, config_id: UUID) -> None:
        super().__init__(
            f"storage config {config_id} is inactive or its owner is disabled; it is not crawled"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StorageConfig:
    """A folder as it is registered; `time_zone` reads the dates that carry no zone."""

    id: UUID
    user_id: UUID
    root_path: str
    time_zone: str
    is_active: bool
    created_at: datetime


def checked_root_path(path: str) -> str:
    """The path in its one normal form; refused when it is relative, climbs or can't be stored."""
    if any(unicodedata.category(character) in UNSTORABLE for character in path):
        raise InvalidInput("rootPath", "must be text in UTF-8 without control characters")
    if not path.startswith("/"):
        raise InvalidInput("rootPath", "must be an absolute path")
    if ".." in path.split("/"):
        raise InvalidInput("rootPath", "must not contain ..")
    normal = posixpath.normpath("/" + path.lstrip("/"))
    if len(normal.encode()) > ROOT_PATH_LIMIT_BYTES:
        raise InvalidInput("rootPath", f"must have at most {ROOT_PATH_LIMIT_BYTES} bytes")
    return normal


def overlap(one: str, other: str) -> bool:
    """Whether two normalised folders are the same or one lies inside the other."""
    first, second = _as_prefix(one), _as_prefix(other)
    return first.startswith(second) or second.startswith(first)


def checked_time_zone(name: str) -> str:
    """The name as it is, when it is one of the IANA time zones."""
    if name not in _time_zones():
        raise InvalidInput("timeZone", "must be an IANA time zone such as Europe/Berlin")
    return name


def _as_prefix(path: str) -> str:
    return path.rstrip("/") + "/"


@functools.cache
def _time_zones() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones()) - NO_ZONES
