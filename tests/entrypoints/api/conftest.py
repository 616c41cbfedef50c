from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from dependency_injector import providers
from falcon.testing import TestClient
from sqlalchemy import Engine

from adapters.postgres.engine import PostgresAddress
from adapters.postgres.users import PostgresUsers
from application.ports.users import NewUser
from domain.identity.user import User
from entrypoints.api.app import create_app
from entrypoints.api.container import ApiContainer
from entrypoints.api.host import ApiHost
from entrypoints.common.settings import PostgresConnection, Settings
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.api.client import Client
from tests.entrypoints.api.people import add_user, logged_in
from tests.entrypoints.api.running_host import running_host
from tests.entrypoints.api.streaming import FAST, Api
from tests.fakes.security import InMemoryPasswordHasher
from tests.postgres_server import as_role
from tests.real_admin import add_admin


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


@pytest.fixture
def ada(container: ApiContainer) -> User:
    return add_user(container, "ada")


@pytest.fixture
def owner(anonymous: Client, ada: User) -> Client:
    """Logged in as Ada, who is no admin."""
    return logged_in(anonymous, ada)


@pytest.fixture
def api(database: PostgresAddress, engine: Engine, tmp_path: Path) -> Iterator[Api]:
    """A host of its own, which looks for changes often."""
    admin = add_admin(engine, "root", "root's password")
    with running_host(database, tmp_path, **FAST) as host:
        token = host.log_in("root", "root's password")
        yield Api(host, token, admin, PostgresUsers(engine=engine), PostgresPorts(engine=engine))
