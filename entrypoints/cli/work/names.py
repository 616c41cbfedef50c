"""What the ids in work items stand for, as an admin may know it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from entrypoints.cli.work.queue_client import Entries, Item
from entrypoints.cli.work.words import clean

FOLDERS, USERS = "/admin/storage-configs", "/admin/users"
SCHEDULED = "scheduled"
NO_FOLDER = "none"
SHOWN_PARTS = 2


@dataclass(slots=True, kw_only=True)
class Names:
    """Asks the API when an id is met that is not known yet, and once only for each."""

    client: Entries
    _users: dict[str, str] = field(default_factory=dict)
    _folders: dict[str, str] = field(default_factory=dict)

    def folder(self, item: Item) -> str:
        """The path of the item's folder; of one that is gone, its id."""
        config_id = item["storageConfigId"]
        if config_id is None:
            return NO_FOLDER
        return self._name(config_id, self._folders, FOLDERS, "rootPath")

    def requester(self, item: Item) -> str:
        """Who asked for the item: nobody, where it was due by itself."""
        user_id = item["requestedBy"]
        return self._name(user_id, self._users, USERS, "name") if user_id else SCHEDULED

    def _name(self, wanted: str, known: dict[str, str], path: str, member: str) -> str:
        if wanted not in known:
            entries: list[Mapping[str, Any]] = self.client.entries(path)
            known |= {str(each["id"]): clean(each[member]) for each in entries}
            known.setdefault(wanted, wanted)
        return known[wanted]


def last_name(path: str) -> str:
    """The folder's own name."""
    return path.rstrip("/").rpartition("/")[2] or path


def short(path: str) -> str:
    """The last two parts of a long path, which tell it from others well enough in a table."""
    parts = [part for part in path.split("/") if part]
    return path if len(parts) <= SHOWN_PARTS else "/".join(["…", *parts[-SHOWN_PARTS:]])
