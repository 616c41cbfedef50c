"""Walking and opening real files."""

import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from adapters.filesystem import folder_walk
from adapters.filesystem.originals import FilesystemOriginals
from application.ports.originals import (
    CheckedRoot,
    OriginalGone,
    OriginalUnreadable,
)
from domain.library.root import RootUnavailable
from domain.library.signature import ListedFile, Signature
from domain.library.verdict import SkipReason
from tests.adapters.filesystem.walking import walked


def test_links_loops_and_pipes_are_counted_and_not_followed(
    originals: FilesystemOriginals, root: Path
) -> None:
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "photo.jpg").write_bytes(b"x")
    (root / "a" / "loop").symlink_to("..")
    (root / "a" / "self").symlink_to("self")
    (root / "a" / "dangling.jpg").symlink_to("nowhere.jpg")
    (root / "a" / "photo.jpg").symlink_to("b/photo.jpg")
    os.mkfifo(root / "a" / "pipe.jpg")
    began = time.monotonic()
    paths, rest = walked(originals, root)
    assert time.monotonic() - began < 5
    assert paths == {b"a/b/photo.jpg"}
    assert rest.skipped == {SkipReason.LINK: 4, SkipReason.SPECIAL: 1}
    assert rest.folders_visited == 3


NAMES = (
    b"caf\xe9.jpg",
    b"new\nline\t\\N.jpg",
    b"-dash.jpg",
    b"back\\slash.jpg",
    b"L" * 251 + b".jpg",
    b"x[Q=1].jpg",
    b"12:30:00.jpg",
    b"%03d.jpg",
    "e\u0301 \U0001f600.jpg".encode(),
)


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_listed_and_opened_byte_for_byte(
    originals: FilesystemOriginals, root: Path, name: bytes
) -> None:
    path = os.path.join(os.fsencode(root), name)  # noqa: PTH118
    with open(path, "wb") as file:  # noqa: PTH123
        file.write(b"content")
    os.utime(path, ns=(7, 1_234_567_890_123_456_789))
    checked = originals.check(os.fsencode(root))
    (batch,) = originals.walk(checked)
    assert list(batch.files) == [ListedFile(name, 7, 1_234_567_890_123_456_789)]
    with originals.open(checked, name) as stream:
        assert stream.read() == b"content"
        assert originals.signature(stream) == Signature(7, 1_234_567_890_123_456_789)


def test_what_systems_keep_for_themselves_is_passed_over(
    originals: FilesystemOriginals, root: Path
) -> None:
    for folder in ("@eaDir", "#recycle", ".Trash", "lost+found", "$RECYCLE.BIN", "fine"):
        (root / folder).mkdir()
        (root / folder / "x.jpg").write_bytes(b"x")
    for name in ("._x.jpg", "x.tmp", "x.jpg~", "x.part", "x.crdownload"):
        (root / name).write_bytes(b"x")
    paths, rest = walked(originals, root)
    assert paths == {b"fine/x.jpg"}
    assert rest.folders_visited == 2
    assert rest.skipped == {}


def test_an_unreadable_folder_is_named_and_the_rest_is_walked(
    originals: FilesystemOriginals, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in "abc":
        (root / folder / "sub").mkdir(parents=True)
        (root / folder / "sub" / "x.jpg").write_bytes(b"x")
    refuse(monkeypatch, b"/b", PermissionError(13, "Permission denied"))
    paths, rest = walked(originals, root)
    assert paths == {b"a/sub/x.jpg", b"c/sub/x.jpg"}
    assert rest.unreadable == [b"b"]


def test_a_root_that_cannot_be_listed_to_its_end_is_unavailable(
    originals: FilesystemOriginals, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "x.jpg").write_bytes(b"x")
    checked = originals.check(os.fsencode(root))
    refuse(monkeypatch, b"/originals", OSError(5, "Input/output error"))
    with pytest.raises(RootUnavailable, match="could not be listed to its end"):
        list(originals.walk(checked))


def test_a_walk_of_many_files_comes_in_batches(
    originals: FilesystemOriginals, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_walk, "FILES_PER_BATCH", 3)
    monkeypatch.setattr(folder_walk, "ENTRIES_PER_LOOK", 1)
    for number in range(7):
        (root / f"{number}.jpg").write_bytes(b"x")
    batches = list(originals.walk(originals.check(os.fsencode(root))))
    assert [len(batch.files) for batch in batches] == [3, 3, 1]


def test_a_slow_walk_tells_of_itself_every_second(
    originals: FilesystemOriginals, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_walk, "SECONDS_PER_BATCH", 0.0)
    monkeypatch.setattr(folder_walk, "ENTRIES_PER_LOOK", 1)
    for number in range(3):
        (root / f"{number}.jpg").write_bytes(b"x")
    batches = list(originals.walk(originals.check(os.fsencode(root))))
    assert [len(batch.files) for batch in batches] == [1, 1, 1, 0]


def test_a_root_must_exist_and_be_a_folder_below_the_workers_root(
    originals: FilesystemOriginals, root: Path, tmp_path: Path
) -> None:
    (root / "file").write_bytes(b"x")
    (tmp_path / "originals-2").mkdir()
    (root / "link").symlink_to(tmp_path / "originals-2")
    for path, why in (
        (root / "none", "No such file or directory"),
        (root / "file", "Not a directory"),
        (tmp_path / "originals-2", "it is not below WORKER__ROOT"),
        (root / "link", "it is not below WORKER__ROOT"),
    ):
        with pytest.raises(RootUnavailable, match=f"^root unavailable: {why}$") as caught:
            originals.check(os.fsencode(path))
        assert str(tmp_path) not in str(caught.value)


ASSETS_OWN = "ab/0123456789abcdef0123456789abcd"


@pytest.mark.parametrize("root_is_it", [False, True])
def test_proxies_are_passed_over_under_whatever_name_and_nothing_beside_them(
    tmp_path: Path, root_is_it: bool
) -> None:
    base = tmp_path / "originals"
    folder = base if root_is_it else base / "a" / "proxies"
    for each in (folder / ASSETS_OWN, folder / "98" / "summer", base / "elsewhere" / ASSETS_OWN):
        each.mkdir(parents=True)
        (each / "preview.jpg").write_bytes(b"x")
    (tmp_path / "another name").symlink_to(folder)
    originals = FilesystemOriginals(worker_root=base, proxy_path=tmp_path / "another name")
    paths, rest = walked(originals, base)
    beside = b"98/summer/preview.jpg"
    assert paths == {
        beside if root_is_it else b"a/proxies/" + beside,
        f"elsewhere/{ASSETS_OWN}/preview.jpg".encode(),
    }
    assert (rest.skipped, rest.unreadable) == ({}, [])


def test_a_root_may_lie_beside_proxies_and_not_among_them(tmp_path: Path) -> None:
    for name in (ASSETS_OWN, "anna"):
        (tmp_path / name).mkdir(parents=True)
    originals = FilesystemOriginals(worker_root=tmp_path, proxy_path=tmp_path)
    originals.check(os.fsencode(tmp_path / "anna"))
    originals.check(os.fsencode(tmp_path))
    for among in ("ab", ASSETS_OWN):
        with pytest.raises(RootUnavailable, match=r"^root unavailable: it lies among the proxies$"):
            originals.check(os.fsencode(tmp_path / among))


def test_another_folder_in_the_roots_place_is_noticed(
    originals: FilesystemOriginals, root: Path
) -> None:
    folder = root / "photos"
    folder.mkdir()
    checked = originals.check(os.fsencode(folder))
    originals.recheck(checked)
    folder.rename(root / "aside")
    folder.mkdir()
    with pytest.raises(RootUnavailable, match="another folder took its place"):
        originals.recheck(checked)


def test_opening_what_is_gone_a_link_or_a_pipe_says_so(
    originals: FilesystemOriginals, root: Path
) -> None:
    (root / "x.jpg").write_bytes(b"x")
    (root / "link.jpg").symlink_to("x.jpg")
    os.mkfifo(root / "pipe.jpg")
    (root / "folder.jpg").mkdir()
    checked = originals.check(os.fsencode(root))
    for name in (b"none.jpg", b"link.jpg", b"pipe.jpg", b"folder.jpg", b"x.jpg/y.jpg"):
        with pytest.raises(OriginalGone), originals.open(checked, name):
            pass


def test_a_file_that_cannot_be_opened_is_unreadable_without_its_name(
    originals: FilesystemOriginals, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "x.jpg").write_bytes(b"x")
    checked = originals.check(os.fsencode(root))

    def refuse_open(path: bytes, _flags: int) -> int:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "open", refuse_open)
    with (
        pytest.raises(OriginalUnreadable, match=r"^Permission denied$"),
        originals.open(checked, b"x.jpg"),
    ):
        pass


def test_an_error_of_the_caller_is_not_taken_for_the_originals(
    originals: FilesystemOriginals, root: Path
) -> None:
    (root / "x.jpg").write_bytes(b"x")
    checked = originals.check(os.fsencode(root))
    with pytest.raises(OSError, match="No space left"), originals.open(checked, b"x.jpg"):
        raise OSError(28, "No space left on device")


def refuse(monkeypatch: pytest.MonkeyPatch, ending: bytes, error: OSError) -> None:
    """Let the system refuse to list one folder: root may list every real one."""
    real = os.scandir

    def scandir(path: Any) -> Iterator[Any]:
        if os.fsencode(Path(f"/proc/self/fd/{path}").readlink()).endswith(ending):
            raise error
        found: Iterator[Any] = real(path)
        return found

    monkeypatch.setattr(os, "scandir", scandir)


def test_the_identity_of_a_root_is_its_device_and_inode(
    originals: FilesystemOriginals, root: Path
) -> None:
    found = root.stat()
    assert originals.check(os.fsencode(root)) == CheckedRoot(
        path=os.fsencode(root), identity=(found.st_dev, found.st_ino)
    )


def test_an_opened_file_that_the_system_will_not_describe_is_unreadable(
    originals: FilesystemOriginals, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "x.jpg").write_bytes(b"x")
    checked = originals.check(os.fsencode(root))
    descriptors = set(Path("/proc/self/fd").iterdir())

    def refuse_fstat(_: int) -> os.stat_result:
        raise OSError(errno.ESTALE, "Stale file handle")

    def look() -> None:
        with originals.open(checked, b"x.jpg") as stream:
            monkeypatch.setattr(os, "fstat", refuse_fstat)
            originals.signature(stream)

    for _ in ("while its signature is read", "while it is opened"):
        with pytest.raises(OriginalUnreadable, match=r"^Stale file handle$"):
            look()
    monkeypatch.undo()
    assert set(Path("/proc/self/fd").iterdir()) == descriptors


def test_a_place_that_no_file_has_is_the_asker_s_mistake(
    originals: FilesystemOriginals, root: Path
) -> None:
    (root / "x.jpg").write_bytes(b"x")
    checked = originals.check(os.fsencode(root))
    with originals.open(checked, b"x.jpg") as stream:
        with pytest.raises(OSError, match="Invalid argument"):
            stream.seek(-1)
        assert stream.read() == b"x"
