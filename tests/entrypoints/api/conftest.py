from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from dependency_injector import providers
from falcon.testing import TestClient

from adapters.postgres.engine import PostgresAddress
from application.ports.users import NewUser
from domain.identity.user import User
from entrypoints.api.app import create_app
from entrypoints.api.container import ApiContainer
from entrypoints.api.host import ApiHost
from entrypoints.common.settings import PostgresConnection, Settings
from tests.entrypoints.api.client import Client
from tests.fakes.security import InMemoryPasswordHasher
from tests.postgres_server import as_role


def settings_for(address: PostgresAddress, home: Path) -> Settings:
    return Settings(
        anichron_home=home,
        postgres_connection=PostgresConnection(
            host=address.host,
            port=address.port,
            dbname=address.dbname,
            user=address.user,
            password=address.password,
            is_pooled=address.is_pooled,
            pool_size=4,
            connect_timeout_seconds=2,
            pool_timeout_seconds=2,
        ),
    )


@pytest.fixture
def settings(database: PostgresAddress, tmp_path: Path) -> Settings:
    return settings_for(as_role(database, "anichron_api"), tmp_path)


@pytest.fixture
def container(settings: Settings) -> Iterator[ApiContainer]:
    container = ApiContainer(settings=settings)
    container.password_hasher.override(providers.Object(InMemoryPasswordHasher()))
    yield container
    ApiHost(container).close()


@pytest.fixture
def admin(container: ApiContainer) -> User:
    return container.users().add(
        NewUser(
            name="root",
            email="root@example.org",
            password_hash="hash of root's password",
            is_admin=True,
        )
    )


@pytest.fixture
def anonymous(container: ApiContainer) -> Client:
    return Client(TestClient(create_app(container)))


@pytest.fixture
def client(anonymous: Client, admin: User) -> Client:
    """Logged in as the admin."""
    return replace(anonymous, token=anonymous.log_in(admin.name, "root's password")["accessToken"])
