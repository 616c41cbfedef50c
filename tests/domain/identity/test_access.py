"""Who passes where the admin role is needed."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain.identity.access import Caller, NotPermitted
from domain.identity.user import User


def caller(*, is_admin: bool) -> Caller:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    user = User(
        id=UUID(int=1),
        name="ada",
        email="ada@example.org",
        is_admin=is_admin,
        is_disabled=False,
        created_at=now,
    )
    return Caller(user=user, token_expires_at=now)


def test_an_admin_passes_and_anybody_else_is_told_what_is_missing() -> None:
    caller(is_admin=True).require_admin()
    with pytest.raises(NotPermitted, match=r"^this needs the admin role$"):
        caller(is_admin=False).require_admin()
