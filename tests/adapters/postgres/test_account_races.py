"""What callers that race for users, tokens and folders end with."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest
from sqlalchemy import Engine, text

from application.ports.storage_configs import NewStorageConfig
from application.ports.users import UserChange
from domain.errors import Conflict
from domain.identity.user import LastAdmin
from domain.library.storage_config import FolderTaken, StorageConfig
from tests.adapters.postgres.racing import race
from tests.contracts.accounts_ports import AccountsPorts, in_postgres

pytestmark = pytest.mark.postgres
DAY = timedelta(days=1)
ROUNDS = 25


@pytest.fixture
def ports(engine: Engine) -> AccountsPorts:
    return in_postgres(engine)


def digest(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_of_many_exchanges_of_one_token_one_wins_and_the_family_ends(ports: AccountsPorts) -> None:
    ada = ports.user("ada")
    for n in range(ROUNDS):
        first, *successors = (digest(100 * n + k) for k in range(9))
        ports.refresh_tokens.start_family(ada.id, first, DAY)
        found = race([partial(ports.refresh_tokens.exchange, first, s, DAY) for s in successors])
        assert sorted(map(repr, found)) == sorted([repr(ada.id), *["None"] * 7])
        again = [ports.refresh_tokens.exchange(s, digest(100 * n + 50), DAY) for s in successors]
        assert again == [None] * 8


def test_a_reuse_ends_the_family_however_it_falls_among_exchanges(ports: AccountsPorts) -> None:
    ada = ports.user("ada")
    for n in range(ROUNDS):
        first, second, third, fourth = (digest(100 * n + k) for k in range(4))
        ports.refresh_tokens.start_family(ada.id, first, DAY)
        ports.refresh_tokens.exchange(first, second, DAY)
        race(
            [
                partial(ports.refresh_tokens.exchange, first, fourth, DAY),
                partial(ports.refresh_tokens.exchange, second, third, DAY),
            ]
        )
        assert ports.refresh_tokens.exchange(third, fourth, DAY) is None


def test_a_disabling_ends_log_ins_that_race_with_it(ports: AccountsPorts) -> None:
    ada = ports.user("ada")
    for n in range(ROUNDS):
        race(
            [
                partial(ports.refresh_tokens.start_family, ada.id, digest(n), DAY),
                lambda: ports.users.change(ada.id, UserChange(is_disabled=True)) is None,
            ]
        )
        ports.users.change(ada.id, UserChange(is_disabled=False))
        assert ports.refresh_tokens.exchange(digest(n), digest(1000 + n), DAY) is None


def test_a_deletion_and_an_exchange_never_deadlock(ports: AccountsPorts) -> None:
    for n in range(ROUNDS):
        user = ports.user(f"user{n}")
        ports.refresh_tokens.start_family(user.id, digest(2 * n), DAY)
        exchanged, removed = race(
            [
                partial(ports.refresh_tokens.exchange, digest(2 * n), digest(2 * n + 1), DAY),
                partial(ports.users.remove, user.id),
            ]
        )
        assert exchanged in (user.id, None)
        assert removed is None


@pytest.mark.parametrize("how", ["demote", "disable", "delete"])
def test_admins_that_leave_at_once_leave_one(ports: AccountsPorts, how: str) -> None:
    leave: dict[str, Callable[[UUID], object]] = {
        "demote": lambda user: ports.users.change(user, UserChange(is_admin=False)),
        "disable": lambda user: ports.users.change(user, UserChange(is_disabled=True)),
        "delete": ports.users.remove,
    }
    last = ports.user("first", admin=True)
    for n in range(10):
        admins = [last, *(ports.user(f"admin-{n}-{k}", admin=True) for k in range(3))]
        found = race([partial(leave[how], admin.id) for admin in admins])
        stayed = [
            admin
            for admin, answer in zip(admins, found, strict=True)
            if isinstance(answer, LastAdmin)
        ]
        assert len(stayed) == 1
        last = stayed[0]


def test_nested_folders_registered_at_once_leave_one(ports: AccountsPorts) -> None:
    ada = ports.user("ada")
    for n in range(ROUNDS):
        base = f"/photos/{n}"
        paths = [base, f"{base}/a", f"{base}/a/b", base]

        def add(path: str) -> StorageConfig:
            return ports.storage_configs.add(
                NewStorageConfig(user_id=ada.id, root_path=path, time_zone="UTC")
            )

        found = race([partial(add, path) for path in paths])
        assert [type(answer) for answer in found].count(FolderTaken) == 3


def test_of_users_added_at_once_with_one_name_one_is_added(ports: AccountsPorts) -> None:
    found = race([partial(ports.user, name) for name in ("ada", "ADA", "Ada", "aDa")])
    assert [isinstance(answer, Conflict) for answer in found].count(True) == 3


def test_tokens_expire_by_the_databases_clock(ports: AccountsPorts, engine: Engine) -> None:
    ada = ports.user("ada")
    ports.refresh_tokens.start_family(ada.id, digest(1), timedelta(days=30))
    with engine.connect() as connection:
        lifetime, hashed = connection.execute(
            text("SELECT expires_at - issued_at, token_hash FROM refresh_tokens")
        ).one()
    assert abs(lifetime - timedelta(days=30)) < timedelta(seconds=1)
    assert hashed == digest(1)
