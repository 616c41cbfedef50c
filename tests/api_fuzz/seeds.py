"""What stands in the database before the API is fuzzed, so that ids lead somewhere."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from sqlalchemy import Engine

from tests.contracts.harness import PostgresPorts
from tests.contracts.memory_ports import PostgresMemoryPorts, memory
from tests.crawl.pictures import encode, write
from tests.real_admin import add_admin

ADMIN, PASSWORD = "root", "root's password"
MANY = 12


@dataclass(frozen=True, kw_only=True)
class Seeds:
    """Ids by the parameter that takes them; the admin's own is not among them."""

    ids: dict[str, list[UUID]]


def sow(engine: Engine, proxies: Path) -> Seeds:
    root = add_admin(engine, ADMIN, PASSWORD)
    work = PostgresPorts(engine=engine)
    memories = PostgresMemoryPorts(engine=engine)
    users = [work.add_user() for _ in range(MANY)]
    configs = [work.add_config(owner) for owner in [root.id, *users]]
    for config in configs:
        work.enqueue("Crawl", scope=config, key=f"crawl:{config}")
    items = [work.enqueue() for _ in range(MANY)]
    for _ in range(MANY // 2):
        work.claimed()
    day = datetime(2020, 6, 1)  # noqa: DTZ001  # as cameras write it
    assets = [
        memories.keep(configs[0], memory(day + timedelta(days=number))).asset_id
        for number in range(MANY)
    ]
    for asset in assets:
        for kind in ("thumbnail", "preview"):
            write(proxies / asset.hex[:2] / asset.hex[2:] / f"{kind}.jpg", encode())
    return Seeds(ids={"user_id": users, "config_id": configs, "item_id": items, "asset_id": assets})
