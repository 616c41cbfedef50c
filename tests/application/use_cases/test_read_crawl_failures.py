"""An owner reads which files a crawl could not take."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from application.ports.crawl_failures import CrawlFailure, FinishedCrawl
from application.ports.page import PageRequest
from application.ports.storage_configs import NewStorageConfig
from application.use_cases.manage_storage_configs import ListOwnStorageConfigs
from application.use_cases.read_crawl_failures import FailurePosition, ReadCrawlFailures
from domain.errors import InvalidInput, NotFound
from domain.identity.access import NotPermitted
from domain.identity.user import User
from domain.library.storage_config import StorageConfig
from domain.work.attempt import AttemptTag
from tests.application.use_cases.conftest import World
from tests.fakes.crawl_failures import InMemoryCrawlFailures

NOW = datetime(2024, 6, 1, tzinfo=UTC)


class Scene:
    def __init__(self, world: World) -> None:
        self.world = world
        self.ada = world.user("ada")
        self.config = self.add(self.ada, "/photos/ada")
        self.stored = InMemoryCrawlFailures()
        self.read = ReadCrawlFailures(
            storage_configs=world.storage_configs, crawl_failures=self.stored
        )

    def add(self, owner: User, path: str) -> StorageConfig:
        return self.world.storage_configs.add(
            NewStorageConfig(user_id=owner.id, root_path=path, time_zone="UTC")
        )

    def crawled(self, failures: int, config: StorageConfig | None = None) -> AttemptTag:
        tag = AttemptTag(item_id=uuid4(), attempt=2)
        crawl = FinishedCrawl(tag=tag, finished_at=NOW, is_partial=False)
        self.stored.crawls.append(((config or self.config).id, crawl))
        self.stored.failures[tag] = [failure(number) for number in range(1, failures + 1)]
        return tag


def failure(number: int) -> CrawlFailure:
    return CrawlFailure(
        number=number,
        path=b"%d.jpg" % number,
        display_path=f"{number}.jpg",
        reason="damaged",
        message="it is",
    )


@pytest.fixture
def scene(world: World) -> Scene:
    return Scene(world)


def test_the_owner_reads_the_latest_crawls_failures(scene: Scene) -> None:
    scene.crawled(3)
    tag = scene.crawled(1)
    page = scene.read(scene.ada, scene.config.id, after=None, limit=50)
    assert page.crawl == FinishedCrawl(tag=tag, finished_at=NOW, is_partial=False)
    assert (page.failures, page.following) == ([failure(1)], None)


def test_pages_go_on_in_the_crawl_in_which_they_began(scene: Scene) -> None:
    tag = scene.crawled(7)
    first = scene.read(scene.ada, scene.config.id, after=None, limit=3)
    assert first.crawl == FinishedCrawl(tag=tag, finished_at=NOW, is_partial=False)
    assert first.failures == [failure(1), failure(2), failure(3)]
    assert first.following == FailurePosition(item_id=tag.item_id, number=3)
    scene.crawled(1)
    second = scene.read(scene.ada, scene.config.id, after=first.following, limit=3)
    assert second.crawl == first.crawl
    assert second.failures == [failure(4), failure(5), failure(6)]
    last = scene.read(scene.ada, scene.config.id, after=second.following, limit=3)
    assert (last.failures, last.following) == ([failure(7)], None)
    assert scene.stored.limits == [4, 4, 4], "one more than the page tells whether it is the last"


def test_a_last_page_that_is_full_leads_nowhere(scene: Scene) -> None:
    scene.crawled(2)
    page = scene.read(scene.ada, scene.config.id, after=None, limit=2)
    assert (len(page.failures), page.following) == (2, None)


def test_before_the_first_crawl_has_ended_there_is_nothing(scene: Scene) -> None:
    page = scene.read(scene.ada, scene.config.id, after=None, limit=2)
    assert (page.crawl, page.failures, page.following) == (None, (), None)


def test_a_cursor_of_a_crawl_that_is_gone_or_another_folders_is_refused(scene: Scene) -> None:
    other = scene.add(scene.world.user("bob"), "/photos/bob")
    elsewhere = scene.crawled(1, other)
    scene.crawled(1)
    for item in (uuid4(), elsewhere.item_id):
        after = FailurePosition(item_id=item, number=0)
        with pytest.raises(InvalidInput) as refusal:
            scene.read(scene.ada, scene.config.id, after=after, limit=2)
        assert str(refusal.value) == ("cursor: the crawl that it belongs to is gone; begin again")


def test_nobody_else_reads_them(scene: Scene) -> None:
    scene.crawled(1)
    admin, bob = scene.world.user("root", admin=True), scene.world.user("bob")
    with pytest.raises(NotPermitted):
        scene.read(admin, scene.config.id, after=None, limit=2)
    with pytest.raises(NotFound, match=f"^there is no storage config {scene.config.id}$"):
        scene.read(bob, scene.config.id, after=None, limit=2)


def test_an_unknown_folder_is_not_found_whoever_asks(scene: Scene) -> None:
    nothing = UUID(int=9)
    for reader in (scene.ada, scene.world.user("root", admin=True)):
        with pytest.raises(NotFound, match=f"^there is no storage config {nothing}$"):
            scene.read(reader, nothing, after=None, limit=2)


def test_a_user_lists_its_own_folders(scene: Scene) -> None:
    bob = scene.world.user("bob")
    scene.add(bob, "/photos/bob")
    second = scene.add(scene.ada, "/photos/ada2")
    listed = ListOwnStorageConfigs(storage_configs=scene.world.storage_configs)
    page = listed(scene.ada.id, PageRequest(number=1, size=50))
    assert (page.items, page.total) == ((scene.config, second), 2)
    page = listed(scene.ada.id, PageRequest(number=2, size=1))
    assert (page.items, page.total) == ((second,), 2)
