"""Permissions mean nothing to root: what tests them runs as somebody else."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.embedded_postgres.unprivileged import server_account

# Who may reach the embedded server's socket, besides root.
ACCOUNT = server_account()


@contextmanager
def as_ordinary_user() -> Iterator[None]:
    """All threads give up root until the block ends; who isn't root stays who they are.

    What is imported on first use may lie in root's home: let it be used once before.
    """
    if ACCOUNT.uid is None or ACCOUNT.gid is None:
        yield
        return
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(ACCOUNT.gid)
    os.seteuid(ACCOUNT.uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)


@contextmanager
def reachable_folder() -> Iterator[Path]:
    """A temporary folder of the ordinary user's; pytest's own are closed to everybody else."""
    with tempfile.TemporaryDirectory(prefix="crawl-") as name:
        folder = Path(name)
        ACCOUNT.own(folder, 0o755)
        try:
            yield folder
        finally:
            _open_up(folder)


def _open_up(folder: Path) -> None:
    """So that an ordinary user can remove it, too."""
    for path, folders, _ in os.walk(folder, topdown=True):
        for each in folders:
            (Path(path) / each).chmod(0o700)
