"""Entries that vanish or that the system will not describe: their error is their own."""

import errno
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from adapters.filesystem.originals import FilesystemOriginals
from tests.adapters.filesystem.walking import walked


@dataclass(frozen=True)
class StrangeEntry:
    """An entry of a folder that does not tell what its entries are; to look at it fails."""

    entry: Any
    error: OSError
    refused: tuple[str, ...]

    def __getattr__(self, name: str) -> Any:
        def refuse_to_tell(**_: object) -> bool:
            raise self.error

        return refuse_to_tell if name in self.refused else getattr(self.entry, name)


def make_strange(
    monkeypatch: pytest.MonkeyPatch, name: bytes, error: OSError, *refused: str
) -> None:
    real = os.scandir

    @contextmanager
    def scandir(path: Any) -> Iterator[Any]:
        with real(path) as entries:
            yield (
                StrangeEntry(entry, error, refused) if os.fsencode(entry.name) == name else entry
                for entry in entries
            )

    monkeypatch.setattr(os, "scandir", scandir)


def refuse_look(monkeypatch: pytest.MonkeyPatch, name: bytes, error: OSError) -> None:
    real = os.stat

    def stat(path: Any, **options: Any) -> os.stat_result:
        if path == name:
            raise error
        return real(path, **options)

    monkeypatch.setattr(os, "stat", stat)


GONE = FileNotFoundError(errno.ENOENT, "No such file or directory")


DEAD = [
    OSError(errno.ESTALE, "Stale file handle"),
    OSError(errno.EIO, "Input/output error"),
    OSError(errno.ENOTCONN, "Transport endpoint is not connected"),
    PermissionError(errno.EACCES, "Permission denied"),
]


@pytest.mark.parametrize("parent", ["", "sub/"])
@pytest.mark.parametrize("error", [GONE, *DEAD])
def test_a_dead_mount_is_an_unreadable_folder_and_one_that_vanished_is_none(
    originals: FilesystemOriginals,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: OSError,
    parent: str,
) -> None:
    for folder in ("a", "dead", "z"):
        (root / parent / folder).mkdir(parents=True)
        (root / parent / folder / "x.jpg").write_bytes(b"x")
    (root / parent / "y.jpg").write_bytes(b"y")
    refuse_look(monkeypatch, b"dead", error)
    paths, rest = walked(originals, root)
    assert paths == {(parent + each).encode() for each in ("a/x.jpg", "z/x.jpg", "y.jpg")}
    assert rest.unreadable == ([] if error is GONE else [(parent + "dead").encode()])


@pytest.mark.parametrize("refused", ["is_file", "stat"])
@pytest.mark.parametrize("error", [GONE, *DEAD])
def test_a_file_that_the_system_will_not_describe_is_its_own_trouble(
    originals: FilesystemOriginals,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: OSError,
    refused: str,
) -> None:
    for name in ("a.jpg", "strange.jpg", "z.jpg"):
        (root / name).write_bytes(b"x")
    make_strange(monkeypatch, b"strange.jpg", error, refused)
    paths, rest = walked(originals, root)
    assert paths == {b"a.jpg", b"z.jpg"}
    assert rest.unreadable == ([] if error is GONE else [b"strange.jpg"])


@pytest.mark.parametrize(
    ("name", "refused", "unreadable"),
    [
        ("folder", "is_dir", [b"folder"]),
        ("link", "is_symlink", [b"link"]),
        ("pipe", "stat", [b"pipe"]),
        (".hidden", "is_file", []),
        ("pipe.tmp", "is_file", [b"pipe.tmp"]),
    ],
)
def test_whatever_an_entry_will_not_tell_is_not_taken_for_its_folder_s_trouble(
    originals: FilesystemOriginals,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    name: str,
    refused: str,
    unreadable: list[bytes],
) -> None:
    (root / "folder").mkdir()
    (root / "link").symlink_to("nowhere")
    for pipe in ("pipe", "pipe.tmp", ".hidden"):
        os.mkfifo(root / pipe)
    (root / "a.jpg").write_bytes(b"x")
    make_strange(monkeypatch, name.encode(), DEAD[0], refused)
    paths, rest = walked(originals, root)
    assert paths == {b"a.jpg"}
    assert rest.unreadable == unreadable


def test_a_pipe_that_vanishes_where_folders_do_not_tell_kinds_is_not_counted(
    originals: FilesystemOriginals, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(root / "pipe")
    make_strange(monkeypatch, b"pipe", GONE, "stat")
    assert walked(originals, root)[1].skipped == {}


def test_folders_that_come_and_go_in_the_root_do_not_make_it_unavailable(
    originals: FilesystemOriginals, root: Path
) -> None:
    for number in range(50):
        (root / f"{number}.jpg").write_bytes(b"x")
    over = Event()

    def come_and_go() -> None:
        while not over.is_set():
            for number in range(20):
                (root / f"passing-{number}").mkdir()
            for number in range(20):
                (root / f"passing-{number}").rmdir()

    other = Thread(target=come_and_go)
    other.start()
    until = time.monotonic() + 3
    try:
        for _ in range(200):
            paths, rest = walked(originals, root)
            assert len(paths) == 50
            assert all(each.startswith(b"passing-") for each in rest.unreadable)
            if time.monotonic() > until:
                break
    finally:
        over.set()
        other.join(10)
