"""Storage and statements that fail: one clear error without a name, or that file's failure."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from adapters.filesystem import proxy_store
from adapters.postgres.crawl_connection import StatementRefused
from application.execution.run_handler import message_of
from application.ports.proxy_store import ProxiesUnwritable
from domain.work.redaction import describe_error
from tests.crawl.library import Library
from tests.crawl.pictures import photo, write

pytestmark = pytest.mark.postgres


def item_error(error: BaseException) -> str:
    """As an admin reads it."""
    return describe_error(type(error).__name__, message_of(error))


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_proxies_that_cannot_be_written_fail_the_item_and_nothing_else(
    library: Library, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    for picture in range(5):
        write(library.root / f"my {picture} secret.jpg", photo(picture))

    def refuse(file: Path, _: bytes) -> None:
        raise OSError(number, os.strerror(number), str(file))

    with monkeypatch.context() as patched:
        patched.setattr(proxy_store, "_write_once", refuse)
        for _ in range(4):
            with pytest.raises(ProxiesUnwritable) as caught:
                library.crawl()
            why = f"the proxies cannot be written: {os.strerror(number)}"
            assert item_error(caught.value) == f"ProxiesUnwritable: {why}"
    assert library.crawl()["ingested"] == 5
    assert len(library.proxy_files()) == 10
    assert not library.rows("SELECT FROM crawl_in_flight")


def test_a_proxy_path_that_is_a_file_is_told_without_its_name(library: Library) -> None:
    write(library.root / "a.jpg", photo(1))
    library.proxy_path.write_bytes(b"")
    with pytest.raises(ProxiesUnwritable) as caught:
        library.crawl()
    assert str(library.base) not in item_error(caught.value)
    assert "Not a directory" in item_error(caught.value)


def test_one_file_that_cannot_be_read_is_its_own_failure(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    for picture in range(3):
        write(library.root / f"{picture}.jpg", photo(picture))
    broken = (library.root / "1.jpg").stat().st_ino
    real = os.fstat

    def fstat(descriptor: int) -> os.stat_result:
        found = real(descriptor)
        if found.st_ino == broken:
            raise OSError(errno.ESTALE, "Stale file handle")
        return found

    with monkeypatch.context() as patched:
        patched.setattr(os, "fstat", fstat)
        for ingested in (2, 0, 0):
            result = library.crawl()
            assert (result["ingested"], result["failedByReason"]) == (ingested, {"unreadable": 1})
    assert library.crawl()["ingested"] == 1


def test_a_statement_that_the_database_refuses_tells_no_name(library: Library) -> None:
    write(library.root / "my secret holiday.jpg", photo(1))
    library.run("ALTER TABLE source_files ADD CHECK (display_path NOT LIKE '%secret%')")
    with pytest.raises(StatementRefused) as caught:
        library.crawl()
    told: Any = "the database refused a statement of the crawl (SQLSTATE 23514)"
    assert item_error(caught.value) == f"StatementRefused: {told}"
    assert list(library.proxy_path.iterdir()) == []
