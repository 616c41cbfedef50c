"""The secret that signs access tokens: given, or made on the first run."""

import os
import secrets
import tempfile
from pathlib import Path

from domain.errors import InvalidInput
from entrypoints.common.secret_file import secret_in
from entrypoints.common.settings import Settings

FILE_NAME = "jwt-secret"
MINIMUM_LENGTH = 32


def jwt_secret(settings: Settings) -> str:
    """JWT__SECRET, else what JWT__SECRET_FILE holds, else the installation's own."""
    if settings.jwt.secret is not None:
        return settings.jwt.secret.get_secret_value()
    if settings.jwt.secret_file is not None:
        return _read(settings.jwt.secret_file, "JWT__SECRET_FILE")
    return _own(settings.home)


def _own(home: Path) -> str:
    path = home / FILE_NAME
    try:
        if not path.exists():
            home.mkdir(parents=True, exist_ok=True)
            _make(path)
    except OSError as error:
        raise InvalidInput(
            "ANICHRON_HOME", f"the file {FILE_NAME} can't be made there: {error.strerror}"
        ) from error
    return _read(path, "ANICHRON_HOME")


def _make(path: Path) -> None:
    """Appear whole or not at all; of hosts that start at once, one makes it for all."""
    descriptor, partial = tempfile.mkstemp(prefix=f".{FILE_NAME}.", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48))
        path.hardlink_to(partial)
    except FileExistsError:
        return  # another host was faster, and its secret is the one
    finally:
        Path(partial).unlink(missing_ok=True)


def _read(path: Path, variable: str) -> str:
    secret = secret_in(path, variable).strip()
    if len(secret) < MINIMUM_LENGTH:
        raise InvalidInput(variable, f"the secret must have at least {MINIMUM_LENGTH} characters")
    return secret
