from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain.errors import NotFound
from domain.identity.access import NotPermitted
from domain.identity.user import User
from domain.library.ownership import require_ownership
from domain.library.storage_config import StorageConfig

NOW = datetime(2024, 6, 1, tzinfo=UTC)


def user(number: int, *, is_admin: bool = False) -> User:
    return User(
        id=UUID(int=number),
        name=str(number),
        email=f"{number}@example.org",
        is_admin=is_admin,
        is_disabled=False,
        created_at=NOW,
    )


CONFIG = StorageConfig(
    id=UUID(int=7),
    user_id=UUID(int=1),
    root_path="/photos",
    time_zone="UTC",
    is_active=True,
    created_at=NOW,
)


@pytest.mark.parametrize("is_admin", [True, False])
def test_the_owner_may_see_what_is_in_the_folder(*, is_admin: bool) -> None:
    require_ownership(CONFIG, user(1, is_admin=is_admin))


def test_an_admin_who_is_not_the_owner_may_not() -> None:
    with pytest.raises(NotPermitted, match=r"^only the owner of a folder may see what is in it$"):
        require_ownership(CONFIG, user(2, is_admin=True))


def test_to_anybody_else_the_folder_does_not_exist() -> None:
    with pytest.raises(NotFound, match=f"^there is no storage config {CONFIG.id}$"):
        require_ownership(CONFIG, user(2))
