"""compose.yaml for real: images built in CI, a container of PostgreSQL, a crawl, a stop."""

import json
import shutil
from pathlib import Path

import pytest

from tests.containers.compose import (
    IMAGE,
    PASSWORD,
    POSTGRES,
    Installation,
    installation,
)
from tests.crawl.pictures import encode
from tests.entrypoints.cli.command import run
from tests.process.hosts import eventually

pytestmark = pytest.mark.skipif(
    not (IMAGE and POSTGRES and shutil.which("docker-compose")),
    reason="needs docker-compose, and images under TEST_IMAGE and TEST_PG_IMAGE (.ci/run has them)",
)
PICTURES = 1_500
PER_USER = "compose.per-user.yaml"


def fill(folder: Path, count: int) -> None:
    """So many pictures that a crawl does not end while it is being stopped."""
    folder.mkdir()
    picture = encode(size=(1600, 1200))
    for number in range(count):
        comment = b"\xff\xfe\x00\x0a%08d" % number
        (folder / f"{number:05}.jpg").write_bytes(picture[:2] + comment + picture[2:])


def crawl(here: Installation) -> dict[str, object]:
    columns = "status, attempt, stalls, coalesce(progress_done, 0) AS done, claimed_by"
    query = f"SELECT row_to_json(c) FROM (SELECT {columns} FROM work_items WHERE kind = 'Crawl') c"
    found: dict[str, object] = json.loads(here.sql(query) or "{}")
    return found


@pytest.mark.timeout(240)
def test_hosts_in_containers_work_and_a_stopped_worker_hands_its_item_back(tmp_path: Path) -> None:
    with installation(tmp_path) as here:
        fill(tmp_path / "originals" / "anna", PICTURES)
        here.compose("up", "-d", "--no-build")
        here.anichron("users", "add", "admin", "admin@example.org", "--admin")
        here.anichron("storage", "add", "admin", "/data/originals/anna", "--time-zone", "UTC")
        for service in ("api", "worker"):
            eventually(lambda name=service: here.health(name) == "healthy", 90)  # type: ignore[misc]
        assert here.sql("SELECT count(*) FROM pg_roles WHERE rolname LIKE 'anichron\\_%'") == "2"

        eventually(lambda: crawl(here).get("status") == "Running", 30)
        eventually(lambda: int(str(crawl(here)["done"])) > 0, 30)
        here.compose("stop", "worker")
        assert here.exit_code("worker") == 0
        handed_back = crawl(here)
        assert (handed_back["status"], handed_back["attempt"]) == ("Queued", 1)
        assert handed_back["stalls"] == 0

        listed = run(
            tmp_path,
            *("work", "list", "--json", "--kind", "Crawl"),
            PORT=str(here.port),
            ANICHRON_API_PASSWORD=PASSWORD,
        )
        assert listed.returncode == 0, listed.stderr
        assert [item["status"] for item in json.loads(listed.stdout)["items"]] == ["Queued"]
        proxies = list((tmp_path / "proxies").rglob("*.jpg"))
        assert proxies
        assert {each.stat().st_uid for each in proxies} == {1000}
        assert len(list((tmp_path / "originals" / "anna").iterdir())) == PICTURES


@pytest.mark.timeout(240)
def test_each_user_has_a_worker_that_sees_no_other_folder(tmp_path: Path) -> None:
    with installation(tmp_path, PER_USER) as here:
        here.compose("up", "-d", "--no-build", "database", "migrate", "api")
        for name in ("anna", "ben"):
            fill(tmp_path / "originals" / name, 3)
            here.anichron("users", "add", name, f"{name}@example.org")
            folder = f"/data/originals/{name}"
            here.anichron("storage", "add", name, folder, "--time-zone", "UTC")
        here.compose("up", "-d", "--no-build")
        assert here.compose("ps", "-q", "worker").strip() == "", "nobody is there for everyone"

        crawled = "SELECT count(*) FROM work_items WHERE kind = 'Crawl' AND status = 'Succeeded'"
        eventually(lambda: here.sql(crawled) == "2", 90)
        who = (
            "SELECT string_agg(DISTINCT root_path || ' by ' || split_part(claimed_by, '@', 1), ',')"
            " FROM work_items w JOIN storage_configs c ON c.id = w.storage_config_id"
        )
        assert here.sql(who) == "/data/originals/anna by anna,/data/originals/ben by ben"
        assert here.sql("SELECT count(*) FROM media_assets") == "6"
        seen = here.compose("exec", "-T", "worker-anna", "ls", "/data/originals").split()
        assert seen == ["anna"]
