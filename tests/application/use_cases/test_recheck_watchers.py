"""Who may go on watching."""

from dataclasses import dataclass
from uuid import UUID, uuid4

from typing_extensions import override

from application.ports.users import UserChange
from application.use_cases.recheck_watchers import RecheckWatchers
from domain.identity.user import User
from tests.application.use_cases.conftest import World
from tests.fakes.users import InMemoryUsers


def test_only_enabled_admins_that_exist_go_on(world: World) -> None:
    ada, bob, carol = (world.user(name, admin=True) for name in ("ada", "bob", "carol"))
    dave = world.user("dave")
    world.users.change(bob.id, UserChange(is_disabled=True))
    world.users.change(carol.id, UserChange(is_admin=False))
    watching = frozenset({ada.id, bob.id, carol.id, dave.id, uuid4()})
    assert RecheckWatchers(users=world.users)(watching) == {ada.id}


@dataclass
class CountingUsers(InMemoryUsers):
    asked: int = 0

    @override
    def find_many(self, user_ids: frozenset[UUID]) -> dict[UUID, User]:
        self.asked += 1
        return super().find_many(user_ids)


def test_nobody_is_asked_for_when_nobody_watches(world: World) -> None:
    users = CountingUsers(world.accounts)
    recheck = RecheckWatchers(users=users)
    assert (recheck(frozenset()), users.asked) == (frozenset(), 0)
    ada, bob = (world.user(name, admin=True) for name in ("ada", "bob"))
    assert recheck(frozenset({ada.id, bob.id})) == {ada.id, bob.id}
    assert users.asked == 1
