"""The account that the embedded server runs as: PostgreSQL refuses to run as root."""

import os
import pwd
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from domain.errors import DomainError

CANDIDATES = ("postgres", "nobody")


class DropArguments(TypedDict, total=False):
    """The arguments of `subprocess` that give up root."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unprivileged:
    """An account to run as; uid None means the account that we already are."""

    name: str
    uid: int | None = None
    gid: int | None = None

    def drop(self) -> DropArguments:
        if self.uid is None or self.gid is None:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, directory: Path, mode: int) -> None:
        """Make the directory and give it to this account with exactly this mode."""
        directory.mkdir(parents=True, exist_ok=True)
        directory.chmod(mode)
        if self.uid is not None and self.gid is not None:
            os.chown(directory, self.uid, self.gid)


def server_account() -> Unprivileged:
    """Ourselves as an ordinary user; as root, the first existing account of the candidates."""
    if os.geteuid() != 0:
        return Unprivileged(name=str(os.geteuid()))
    for name in CANDIDATES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Unprivileged(name=name, uid=entry.pw_uid, gid=entry.pw_gid)
    raise DomainError(f"running as root, and none of {', '.join(CANDIDATES)} exists to drop to")
