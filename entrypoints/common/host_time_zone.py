"""The IANA name of this host's time zone."""

import os
from pathlib import Path

from domain.errors import InvalidInput
from domain.library.storage_config import checked_time_zone

LOCALTIME = Path("/etc/localtime")
FALLBACK = "UTC"


def host_time_zone(localtime: Path = LOCALTIME) -> str:
    """What TZ names, else what /etc/localtime points to, else UTC."""
    for name in (os.environ.get("TZ", "").removeprefix(":"), _pointed_to(localtime)):
        if _is_known(name):
            return name
    return FALLBACK


def _pointed_to(localtime: Path) -> str:
    return str(localtime.resolve()).partition("zoneinfo/")[2]


def _is_known(name: str) -> bool:
    try:
        checked_time_zone(name)
    except InvalidInput:
        return False
    return True
