"""What a crawl leaves is what its owner is shown: one Live Photo is one memory, with proxies."""

from io import BytesIO
from uuid import UUID

import pytest
from PIL import ExifTags, Image
from sqlalchemy import Engine

from adapters.postgres.memories import PostgresMemories
from adapters.postgres.own_assets import PostgresOwnAssets
from adapters.proxy_reading.proxy_reader import FilesystemProxyReader
from application.use_cases.read_proxy import ReadProxy
from application.use_cases.recall_day import RecallDay
from domain.library.proxy import ProxyKind
from tests.crawl.library import Library
from tests.crawl.pictures import encode, exif, photo, write
from tests.crawl.videos import video

pytestmark = pytest.mark.postgres
TAKEN = exif(details={ExifTags.Base.DateTimeOriginal: "2019:12:24 18:30:00"})


@pytest.fixture
def recall(engine: Engine) -> RecallDay:
    return RecallDay(memories=PostgresMemories(engine=engine))


def owner_of(library: Library) -> UUID:
    owner: UUID = library.rows("SELECT user_id FROM storage_configs WHERE id = :config")[0][0]
    return owner


def test_both_halves_of_a_live_photo_are_one_memory(library: Library, recall: RecallDay) -> None:
    tags = {"com.apple.quicktime.creationdate": "2019-12-24T18:30:01+0100"}
    write(library.root / "IMG_1.JPG", photo(1, exif=TAKEN))
    write(library.root / "IMG_1.MOV", video("mov", tags))
    write(library.root / "clip.mov", video("mov", tags, frames=9))
    library.crawl()
    ids = library.holders()
    found = recall(owner_of(library), month=12, day=24, after=None, limit=9).memories
    assert [(each.asset_id, each.media_type, each.motion_id) for each in found] == [
        (ids[b"IMG_1.JPG"], "LivePhoto", ids[b"IMG_1.MOV"]),
        (ids[b"clip.mov"], "Video", None),
    ]
    assert found[0].duration_seconds is None
    assert found[1].duration_seconds is not None
    (library.root / "IMG_1.JPG").unlink()
    library.crawl()
    found = recall(owner_of(library), month=12, day=24, after=None, limit=9).memories
    assert {each.asset_id for each in found} == {ids[b"IMG_1.MOV"], ids[b"clip.mov"]}


def test_what_the_api_shows_of_a_picture_says_nothing_of_its_place(
    library: Library,
) -> None:
    gps = {1: "N", 2: (51.0, 30.0, 0.0), 3: "E", 4: (0.0, 0.0, 1.0)}
    write(library.root / "a.jpg", encode(size=(2400, 1800), exif=exif(gps=gps)))
    library.crawl()
    read = ReadProxy(
        assets=PostgresOwnAssets(engine=library.engine),
        proxies=FilesystemProxyReader(proxy_path=library.proxy_path),
    )
    asset = library.holders()[b"a.jpg"]
    before = read(owner_of(library), asset, ProxyKind.PREVIEW)
    with Image.open(BytesIO(before.jpeg)) as picture:
        assert (picture.format, picture.size) == ("JPEG", (1920, 1440))
        assert dict(picture.getexif()) == {}
        assert "exif" not in picture.info
    write(library.root / "a.jpg", encode((9, 9, 200), size=(2400, 1800)))
    assert library.crawl()["updated"] == 1
    assert read(owner_of(library), asset, ProxyKind.PREVIEW).version != before.version
