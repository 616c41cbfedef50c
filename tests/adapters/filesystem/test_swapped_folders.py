"""Somebody puts a link in a folder's place while a crawl is at it: nothing behind it is read."""

import os
from pathlib import Path

import pytest

from adapters.filesystem import descent, folder_walk
from adapters.filesystem.originals import FilesystemOriginals
from application.ports.originals import CheckedRoot, OriginalGone
from domain.library.root import RootUnavailable
from domain.library.verdict import SkipReason


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "originals"
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "x.jpg").write_bytes(b"ours")
    return folder


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """Somebody else's folder, of the same shape."""
    folder = tmp_path / "secret"
    (folder / "b").mkdir(parents=True)
    for file in (folder / "x.jpg", folder / "b" / "x.jpg"):
        file.write_bytes(b"theirs")
    return folder


@pytest.fixture
def originals(tmp_path: Path) -> FilesystemOriginals:
    return FilesystemOriginals(worker_root=tmp_path, proxy_path=tmp_path / "proxies")


def swap(folder: Path, target: Path) -> None:
    folder.rename(folder.with_name(".aside"))
    folder.symlink_to(target)


def checked(originals: FilesystemOriginals, root: Path) -> CheckedRoot:
    return originals.check(os.fsencode(root))


@pytest.mark.parametrize("depth", [0, 1])
def test_a_folder_swapped_before_its_visit_is_unreadable_and_not_followed(
    originals: FilesystemOriginals,
    root: Path,
    secret: Path,
    monkeypatch: pytest.MonkeyPatch,
    depth: int,
) -> None:
    monkeypatch.setattr(folder_walk, "SECONDS_PER_BATCH", 0.0)
    monkeypatch.setattr(folder_walk, "ENTRIES_PER_LOOK", 1)
    folder = [root / "a", root / "a" / "b"][depth]
    batches = originals.walk(checked(originals, root))
    found = [next(batches) for _ in range(depth + 1)]
    swap(folder, secret)
    found += batches
    assert [file for batch in found for file in batch.files] == []
    assert [each for batch in found for each in batch.unreadable] == [[b"a"], [b"a/b"]][depth]


def test_a_middle_folder_swapped_before_a_deeper_one_s_visit_is_not_passed_through(
    originals: FilesystemOriginals, root: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_walk, "SECONDS_PER_BATCH", 0.0)
    batches = originals.walk(checked(originals, root))
    found = [next(batches), next(batches)]
    swap(root / "a", secret)
    found += batches
    assert [file for batch in found for file in batch.files] == []
    assert [each for batch in found for each in batch.unreadable] == [b"a/b"]


def test_what_is_swapped_while_its_folder_is_listed_is_looked_at_in_the_opened_one(
    originals: FilesystemOriginals, root: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_walk, "SECONDS_PER_BATCH", 0.0)
    monkeypatch.setattr(folder_walk, "ENTRIES_PER_LOOK", 1)
    for name in ("1.jpg", "2.jpg"):
        (root / "a" / "b" / name).write_bytes(b"ours")
        (secret / "b" / name).write_bytes(b"theirs")
    found = []
    for batch in originals.walk(checked(originals, root)):
        found += [(file.path, file.size) for file in batch.files]
        if len(found) == 1:
            swap(root / "a" / "b", secret / "b")
    assert sorted(found) == [(b"a/b/1.jpg", 4), (b"a/b/2.jpg", 4), (b"a/b/x.jpg", 4)]


@pytest.mark.parametrize("which", ["a", "a/b", "a/b/x.jpg"])
def test_a_file_is_gone_where_any_part_of_its_path_became_a_link(
    originals: FilesystemOriginals, root: Path, secret: Path, which: str
) -> None:
    place = checked(originals, root)
    swap(root / which, {"a": secret, "a/b": secret, "a/b/x.jpg": secret / "x.jpg"}[which])
    with pytest.raises(OriginalGone), originals.open(place, b"a/b/x.jpg"):
        pass


@pytest.mark.parametrize("is_link", [True, False])
def test_nothing_is_listed_or_opened_below_another_folder_in_the_root_s_place(
    originals: FilesystemOriginals, root: Path, secret: Path, *, is_link: bool
) -> None:
    place = checked(originals, root)
    (secret / "a").symlink_to(secret)
    if is_link:
        swap(root, secret)
    else:
        root.rename(root.with_name("aside"))
        secret.rename(root)
    for path in (b"x.jpg", b"b/x.jpg"):
        with pytest.raises(OriginalGone), originals.open(place, path):
            pass
    with pytest.raises(RootUnavailable):
        list(originals.walk(place))


def test_a_parent_of_the_root_may_become_a_link_to_the_same_folder(
    originals: FilesystemOriginals, root: Path
) -> None:
    place = checked(originals, root / "a")
    swap(root, root.with_name(".aside"))
    with originals.open(place, b"b/x.jpg") as stream:
        assert stream.read() == b"ours"


def test_a_root_swapped_while_it_is_checked_is_not_taken(
    tmp_path: Path, root: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve = os.path.realpath

    def resolve_and_swap(path: bytes, *, strict: bool = False) -> bytes:
        resolved = resolve(path, strict=strict)
        if strict:
            swap(root / "a", secret)
        return resolved

    monkeypatch.setattr(os.path, "realpath", resolve_and_swap)
    with pytest.raises(RootUnavailable, match="Not a directory"):
        FilesystemOriginals(worker_root=tmp_path, proxy_path=tmp_path / "proxies").check(
            os.fsencode(root / "a" / "b")
        )


def test_another_device_in_a_listed_folder_s_place_is_not_entered(
    originals: FilesystemOriginals, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, b = checked(originals, root), (root / "a" / "b").stat().st_ino
    fstat = os.fstat

    def mounted(descriptor: int) -> os.stat_result:
        found = fstat(descriptor)
        if found.st_ino != b:
            return found
        return os.stat_result((*found[:2], found.st_dev + 1, *found[3:10]))

    monkeypatch.setattr(os, "fstat", mounted)
    (batch,) = originals.walk(place)
    assert (list(batch.files), list(batch.unreadable)) == ([], [b"a/b"])
    assert batch.skipped.get(SkipReason.OTHER_DEVICE) is None


def nested(root: Path, levels: int, name: str) -> bytes:
    """Folders in each other, made one by one: no path in one piece would do."""
    descriptor = os.open(root, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir(name, dir_fd=descriptor)
        below = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    with open("x.jpg", "wb", opener=lambda file, flags: os.open(file, flags, dir_fd=descriptor)):
        pass
    os.close(descriptor)
    return b"/".join([*[name.encode()] * levels, b"x.jpg"])


def test_a_path_longer_than_the_system_takes_in_one_piece_is_listed_and_opened(
    originals: FilesystemOriginals, root: Path
) -> None:
    path = nested(root, 40, "n" * 200)
    assert len(path) > 4096
    place = checked(originals, root)
    found = [file.path for batch in originals.walk(place) for file in batch.files]
    assert sorted(found) == [b"a/b/x.jpg", path]
    with originals.open(place, path) as stream:
        assert stream.read() == b""


def test_a_folder_that_lies_too_deep_is_counted_unreadable(
    originals: FilesystemOriginals, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(descent, "DEEPEST", 5)
    nested(root, 7, "n")
    batches = list(originals.walk(checked(originals, root)))
    assert [each for batch in batches for each in batch.unreadable] == [b"n/n/n/n/n/n"]
    assert [each.path for batch in batches for each in batch.files] == [b"a/b/x.jpg"]


def test_no_descriptor_stays_open(originals: FilesystemOriginals, root: Path, secret: Path) -> None:
    before = set(os.listdir("/proc/self/fd"))  # noqa: PTH208
    place = checked(originals, root)
    list(originals.walk(place))
    with originals.open(place, b"a/b/x.jpg"):
        pass
    swap(root / "a", secret)
    list(originals.walk(place))
    with pytest.raises(OriginalGone), originals.open(place, b"a/b/x.jpg"):
        pass
    assert set(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
