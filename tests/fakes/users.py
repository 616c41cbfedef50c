"""Users in memory."""

from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from typing_extensions import override

from application.ports.page import Page, PageRequest
from application.ports.users import NewUser, UserChange, Users
from domain.errors import Conflict, NotFound
from domain.identity.user import Credentials, LastAdmin, User
from tests.fakes.accounts import Accounts


@dataclass
class InMemoryUsers(Users):
    accounts: Accounts

    @override
    def add(self, new: NewUser) -> User:
        user = User(
            id=uuid4(),
            name=new.name,
            email=new.email,
            is_admin=new.is_admin,
            is_disabled=False,
            created_at=self.accounts.clock.now(),
        )
        self._store(user)
        self.accounts.password_hashes[user.id] = new.password_hash
        return user

    @override
    def find(self, user_id: UUID) -> User | None:
        return self.accounts.users.get(user_id)

    @override
    def find_many(self, user_ids: frozenset[UUID]) -> dict[UUID, User]:
        return {key: user for key, user in self.accounts.users.items() if key in user_ids}

    @override
    def find_credentials(self, login: str) -> Credentials | None:
        for user in self.accounts.users.values():
            if login.lower() in {user.name.lower(), user.email.lower()}:
                return Credentials(user=user, password_hash=self.accounts.password_hashes[user.id])
        return None

    @override
    def page(self, request: PageRequest) -> Page[User]:
        rows = tuple(self.accounts.users.values())
        first = request.offset()
        return Page(items=rows[first : first + request.size], total=len(rows))

    @override
    def change(self, user_id: UUID, change: UserChange) -> User:
        old = self._get(user_id)
        new = replace(
            old,
            name=old.name if change.name is None else change.name,
            email=old.email if change.email is None else change.email,
            is_admin=old.is_admin if change.is_admin is None else change.is_admin,
            is_disabled=old.is_disabled if change.is_disabled is None else change.is_disabled,
        )
        if not new.can_administer():
            self._keep_an_admin(user_id)
        self._store(new)
        if change.password_hash is not None:
            self.accounts.password_hashes[user_id] = change.password_hash
        if change.is_disabled or change.password_hash is not None:
            self.accounts.revoke_tokens_of(user_id)
        return new

    @override
    def remove(self, user_id: UUID) -> None:
        self._get(user_id)
        self._keep_an_admin(user_id)
        accounts = self.accounts
        del accounts.users[user_id], accounts.password_hashes[user_id]
        accounts.tokens = {k: t for k, t in accounts.tokens.items() if t.user_id != user_id}
        accounts.configs = {k: c for k, c in accounts.configs.items() if c.user_id != user_id}

    def _get(self, user_id: UUID) -> User:
        user = self.accounts.users.get(user_id)
        if user is None:
            raise NotFound(f"there is no user {user_id}")
        return user

    def _keep_an_admin(self, leaving: UUID) -> None:
        admins = [user.id for user in self.accounts.users.values() if user.can_administer()]
        if admins == [leaving]:
            raise LastAdmin

    def _store(self, user: User) -> None:
        for other in self.accounts.users.values():
            if other.id != user.id and other.name.lower() == user.name.lower():
                raise Conflict("name: another user has it")
            if other.id != user.id and other.email.lower() == user.email.lower():
                raise Conflict("email: another user has it")
        self.accounts.users[user.id] = user
