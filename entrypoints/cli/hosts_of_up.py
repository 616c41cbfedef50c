"""Where the hosts that `anichron up` starts find originals and proxies."""

import os
from dataclasses import dataclass
from pathlib import Path

from entrypoints.common.settings import Settings

PROXIES = "proxies"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """A Worker's two folders."""

    root: Path
    proxies: Path


def own_paths(settings: Settings) -> Paths:
    """What `up` tells its hosts, where the operator has not said otherwise.

    One machine, one person: any folder they may read can be registered.
    """
    proxies = os.environ.get("WORKER__PROXY_PATH")
    return Paths(
        root=Path(os.environ.get("WORKER__ROOT") or "/"),
        proxies=Path(proxies) if proxies else settings.home / PROXIES,
    )


def paths_of(settings: Settings) -> Paths:
    """A Worker's on this machine: of `up`, where the database is the embedded one."""
    if settings.is_embedded():
        return own_paths(settings)
    return Paths(root=settings.worker.root, proxies=settings.worker.proxy_path)
