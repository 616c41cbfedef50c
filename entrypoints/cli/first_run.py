"""What `up` sets up by itself: the first admin, and a folder to crawl. Safe to repeat."""

import os
import secrets
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from application.ports.page import PageRequest
from domain.errors import InvalidInput
from domain.identity.user import User, composed_login
from domain.library.storage_config import FolderTaken
from entrypoints.cli.container import CliContainer
from entrypoints.common.jwt_secret import jwt_secret
from entrypoints.common.settings import Settings

ADMIN = "admin"
ADMIN_EMAIL = "admin@localhost"
PASSWORD_FILE = "admin-password"  # noqa: S105  # a file's name
SAMPLE = "sample-library"
FIRST_PAGE = PageRequest(number=1, size=200)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstRun:
    container: CliContainer
    settings: Settings

    @property
    def password_file(self) -> Path:
        return self.settings.home / PASSWORD_FILE

    def admin(self) -> User:
        """The first admin; on the first run it is made, with a password in a file of mode 0600."""
        for user in self.container.list_users()(FIRST_PAGE).items:
            if user.can_administer():
                found: User = user
                return found
        added: User = self.container.add_user()(
            name=ADMIN, email=ADMIN_EMAIL, password=self._password(), is_admin=True
        )
        return added

    def library(self) -> Path:
        """LIBRARY, which must be a folder; without it the sample, made where it is missing."""
        folder = self.settings.library
        if folder is None:
            folder = self.settings.home / SAMPLE
            self.container.make_sample_library()(folder, date.today())  # noqa: DTZ011
        if not folder.is_dir():
            raise InvalidInput("LIBRARY", f"{folder} is not a folder")
        if not os.access(folder, os.R_OK | os.X_OK):
            raise InvalidInput("LIBRARY", f"{folder} cannot be read")
        return folder

    def register(self, folder: Path, owner: User) -> None:
        """Make the folder one of the owner's storage configs, unless one has it already."""
        path = str(folder.resolve())
        try:
            self.container.add_storage_config()(user_id=owner.id, root_path=path, time_zone=None)
        except FolderTaken as taken:
            known = self.container.list_storage_configs()(FIRST_PAGE).items
            if not any(config.root_path == path for config in known):
                raise InvalidInput("LIBRARY", f"{folder}: {taken}") from taken
        except InvalidInput as error:
            raise InvalidInput("LIBRARY", error.reason) from error

    def check_hosts(self) -> None:
        """What would stop a host's start stops ours, instead of being tried for ever."""
        jwt_secret(self.settings)
        login = self.settings.worker.user
        if login and self.container.users().find_credentials(composed_login(login)) is None:
            raise InvalidInput("WORKER__USER", f"there is no user named {login}")

    def _password(self) -> str:
        """From the file, which is written first: a crash in between must not lock anyone out."""
        if not self.password_file.exists():
            descriptor = os.open(self.password_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                file.write(secrets.token_urlsafe(18) + "\n")
        return self.password_file.read_text().strip()
