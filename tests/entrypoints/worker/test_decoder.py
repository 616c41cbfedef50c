"""The process that decodes for a runner, as the product starts it."""

from pathlib import Path

import pytest

from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from entrypoints.common.settings import WorkerSettings
from entrypoints.worker.crawl_container import CrawlContainer
from tests.crawl.pictures import photo, write

TURNED = Orientation(90, is_mirrored=False)


@pytest.mark.process
def test_it_decodes_as_the_runner_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANICHRON_HOME", str(tmp_path))
    container = CrawlContainer(settings=WorkerSettings(), engine=None)
    here = container.decoders()
    file = write(tmp_path / "a.jpg", photo(1))
    with file.open("rb") as stream, container.decoders_apart().opened() as apart:
        for decoders in (here, apart):
            assert decoders.metadata.read(stream, MediaFormat.JPEG) == here.metadata.read(
                stream, MediaFormat.JPEG
            )
        rendition = apart.developer.develop(stream, MediaFormat.JPEG, TURNED)
        assert rendition == here.developer.develop(stream, MediaFormat.JPEG, TURNED)
    assert rendition.orientation == TURNED
