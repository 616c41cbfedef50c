"""Whose an asset is."""

from datetime import datetime
from uuid import uuid4

import pytest
from sqlalchemy import Engine

from adapters.postgres.own_assets import PostgresOwnAssets
from tests.contracts.memory_ports import PostgresMemoryPorts, memory

pytestmark = pytest.mark.postgres


def test_only_the_owner_of_a_living_asset_is_told_its_content(engine: Engine) -> None:
    ports = PostgresMemoryPorts(engine=engine)
    owner, other = ports.add_user(), ports.add_user()
    config = ports.add_config(owner, is_active=False)
    ports.add_config(other)
    asset = ports.keep(config, memory(datetime(2020, 6, 1))).asset_id  # noqa: DTZ001
    own = PostgresOwnAssets(engine=engine)
    assert own.content_of(owner, asset) == asset.hex[16:]
    assert own.content_of(other, asset) is None
    assert own.content_of(owner, uuid4()) is None
    ports.delete(asset)
    assert own.content_of(owner, asset) is None
