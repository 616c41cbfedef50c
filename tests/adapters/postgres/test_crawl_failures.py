"""Which rows the owner of a folder sees, and how they are found."""

from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine

from adapters.postgres.crawl_failures import PostgresCrawlFailures
from domain.work.attempt import AttemptTag
from tests.contracts.harness import PostgresPorts

pytestmark = pytest.mark.postgres


class Scene(PostgresPorts):
    @property
    def read(self) -> PostgresCrawlFailures:
        return PostgresCrawlFailures(engine=self.engine)

    def crawl(self, config: UUID, status: str, ago: int, attempt: int = 2) -> AttemptTag:
        """A crawl of the config that ended so many seconds ago, or did not end."""
        item = uuid4()
        self.run(
            "INSERT INTO work_items (id, kind, payload, storage_config_id, dedup_key, status,"
            " attempt, lease_until, finished_at) VALUES (:id, 'Crawl', '{}', :config, :key,"
            " :status, :attempt, CASE WHEN :status = 'Running' THEN clock_timestamp() END,"
            " CASE WHEN :status NOT IN ('Queued', 'Running')"
            " THEN clock_timestamp() - :ago * interval '1 s' END)",
            id=item,
            config=config,
            key=f"crawl:{config}",
            status=status,
            attempt=attempt,
            ago=ago,
        )
        return AttemptTag(item_id=item, attempt=attempt)

    def fail(self, tag: AttemptTag, path: bytes, attempt: int | None = None) -> None:
        self.run(
            "INSERT INTO crawl_failures (work_item_id, attempt, path, display_path, reason,"
            " message) VALUES (:item, :attempt, :path, :text, 'damaged', 'it is')",
            item=tag.item_id,
            attempt=attempt or tag.attempt,
            path=path,
            text=path.decode(errors="replace"),
        )


@pytest.fixture
def scene(engine: Engine) -> Scene:
    return Scene(engine=engine)


def test_the_latest_that_succeeded_is_found_among_all_others(scene: Scene) -> None:
    config, other = scene.add_config(), scene.add_config()
    assert scene.read.crawl(config, None) is None
    first = scene.crawl(config, "Succeeded", ago=300)
    latest = scene.crawl(config, "Succeeded", ago=200, attempt=3)
    scene.crawl(config, "Failed", ago=100)
    scene.crawl(config, "Cancelled", ago=50)
    scene.crawl(config, "Running", ago=0)
    scene.crawl(config, "Queued", ago=0)
    scene.crawl(other, "Succeeded", ago=10)
    found = scene.read.crawl(config, None)
    assert found is not None
    assert found.tag == latest
    assert 200 <= (scene.now() - found.finished_at).total_seconds() < 260
    assert not found.is_partial
    again = scene.read.crawl(config, first.item_id)
    assert again is not None
    assert again.tag == first


def test_a_crawl_that_was_cancelled_with_a_result_is_found_as_partial(scene: Scene) -> None:
    config = scene.add_config()
    scene.crawl(config, "Succeeded", ago=300)
    stopped = scene.crawl(config, "Cancelled", ago=100)
    scene.run("UPDATE work_items SET result = '{}' WHERE id = :id", id=stopped.item_id)
    found = scene.read.crawl(config, None)
    assert found is not None
    assert (found.tag, found.is_partial) == (stopped, True)


def test_an_id_finds_only_crawls_of_the_config_that_succeeded(scene: Scene) -> None:
    config, other = scene.add_config(), scene.add_config()
    scene.crawl(config, "Succeeded", ago=300)
    for tag in (
        scene.crawl(config, "Failed", ago=100),
        scene.crawl(config, "Running", ago=0),
        scene.crawl(other, "Succeeded", ago=10),
    ):
        assert scene.read.crawl(config, tag.item_id) is None
    assert scene.read.crawl(config, uuid4()) is None


def test_rows_of_other_attempts_and_items_are_never_seen(scene: Scene) -> None:
    config = scene.add_config()
    other = scene.crawl(config, "Succeeded", ago=300)
    tag = scene.crawl(config, "Succeeded", ago=200)
    for path in (b"1.jpg", b"2\xff\n.jpg", b"3.jpg"):
        scene.fail(tag, b"dead " + path, attempt=1)
        scene.fail(other, b"other " + path)
        scene.fail(tag, path)
    found = scene.read.of(tag, after=0, limit=50)
    assert [each.path for each in found] == [b"1.jpg", b"2\xff\n.jpg", b"3.jpg"]
    assert [each.display_path for each in found] == [
        "1.jpg",
        "2\N{REPLACEMENT CHARACTER}\n.jpg",
        "3.jpg",
    ]
    assert {(each.reason, each.message) for each in found} == {("damaged", "it is")}
    second = scene.read.of(tag, after=found[0].number, limit=1)
    assert [each.path for each in second] == [b"2\xff\n.jpg"]
    assert scene.read.of(tag, after=found[2].number, limit=1) == []
