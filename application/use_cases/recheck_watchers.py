"""Finds out which of those who watch may go on."""

from dataclasses import dataclass
from uuid import UUID

from application.ports.users import Users


@dataclass(frozen=True, slots=True, kw_only=True)
class RecheckWatchers:
    """One query for all of them, however many there are."""

    users: Users

    def __call__(self, user_ids: frozenset[UUID]) -> frozenset[UUID]:
        """Those that are enabled admins now."""
        if not user_ids:
            return user_ids
        found = self.users.find_many(user_ids)
        return frozenset(user.id for user in found.values() if user.can_administer())
