"""A folder's content is its owner's affair, and nobody else's: not an admin's either."""

from domain.errors import NotFound
from domain.identity.access import NotPermitted
from domain.identity.user import User
from domain.library.storage_config import StorageConfig


def require_ownership(config: StorageConfig, reader: User) -> None:
    """Raise unless the reader owns the folder.

    NotPermitted tells an admin, who knows every folder; to anybody else it does not exist.
    """
    if config.user_id == reader.id:
        return
    if reader.can_administer():
        raise NotPermitted("only the owner of a folder may see what is in it")
    raise NotFound(f"there is no storage config {config.id}")
