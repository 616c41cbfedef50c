"""Exchanges a name and a password for tokens."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from application.ports.log_in_attempts import Admission, LogInAttempt, LogInAttempts
from application.ports.password_hasher import PasswordHasher
from application.ports.refresh_tokens import RefreshTokens
from application.ports.users import Users
from application.use_cases.sign_token_pair import SignTokenPair, TokenPair
from domain.errors import DatabaseUnavailable
from domain.identity.access import NotAuthenticated
from domain.identity.refresh_token import digest_of, new_secret
from domain.identity.user import Credentials, User, composed_login


@dataclass(frozen=True, slots=True, kw_only=True)
class LogIn:
    """Every refusal reads the same and costs the same: nobody learns which names exist."""

    users: Users
    attempts: LogInAttempts
    password_hasher: PasswordHasher
    refresh_tokens: RefreshTokens
    sign: SignTokenPair
    refresh_lifetime: timedelta

    def __call__(self, login: str, password: str, *, network: str) -> TokenPair:
        """Raise NotAuthenticated when no enabled user has this name and this password.

        TooManyAttempts comes before the password is looked at, so that a flood costs no hashes.
        `network` is what counts as one address of those who log in.
        """
        typed = composed_login(login)
        found = self.users.find_credentials(typed)
        admission = self.attempts.admit(
            LogInAttempt(login=typed, network=network, user_id=found.user.id if found else None)
        )
        try:
            return self._admitted(admission, found, password)
        except DatabaseUnavailable:
            # An outage is no guess; where it is too great to say so, the count stands.
            with suppress(DatabaseUnavailable):
                self.attempts.withdrawn(admission)
            raise

    def _admitted(
        self, admission: Admission, found: Credentials | None, password: str
    ) -> TokenPair:
        user = self._verified(found, password)
        secret = new_secret()
        if user is None or not self._started(user, secret):
            raise NotAuthenticated("the name or the password is wrong")
        self.attempts.succeeded(admission)
        return self.sign(user.id, secret)

    def _verified(self, found: Credentials | None, password: str) -> User | None:
        """The enabled user; whoever it is and whoever is not, one hash is checked."""
        password_hash = found.password_hash if found else self.password_hasher.decoy()
        matches = self.password_hasher.matches(password, password_hash)
        return found.user if found and matches and not found.user.is_disabled else None

    def _started(self, user: User, secret: str) -> bool:
        return self.refresh_tokens.start_family(user.id, digest_of(secret), self.refresh_lifetime)
