"""Where a folder may lie, and which time zones there are."""

from uuid import UUID

import pytest

from domain.errors import InvalidInput
from domain.library.storage_config import (
    FolderTaken,
    checked_root_path,
    checked_time_zone,
    overlap,
)


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("/photos/ada", "/photos/ada"),
        ("/photos/ada/", "/photos/ada"),
        ("/photos//ada", "/photos/ada"),
        ("//photos/ada", "/photos/ada"),
        ("/photos/./ada/.", "/photos/ada"),
        ("/", "/"),
        ("//", "/"),
        ("/photos/..ada/a..", "/photos/..ada/a.."),
        ("/名前/Zoe\u0308 \u3000x", "/名前/Zoe\u0308 \u3000x"),
        ("/" + "a" * 1999, "/" + "a" * 1999),
        ("/XX/X", "/XX/X"),
    ],
)
def test_a_folder_has_one_normal_form(path: str, normal: str) -> None:
    assert checked_root_path(path) == normal


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("", "rootPath: must be an absolute path"),
        ("photos", "rootPath: must be an absolute path"),
        ("./photos", "rootPath: must be an absolute path"),
        ("/photos/../etc", "rootPath: must not contain .."),
        ("/..", "rootPath: must not contain .."),
        ("/a\0b", "rootPath: must be text in UTF-8 without control characters"),
        ("/a\nb", "rootPath: must be text in UTF-8 without control characters"),
        ("/a\udcffb", "rootPath: must be text in UTF-8 without control characters"),
        ("/" + "a" * 2000, "rootPath: must have at most 2000 bytes"),
        ("/" + "é" * 1000, "rootPath: must have at most 2000 bytes"),
    ],
)
def test_a_bad_folder_is_refused(path: str, message: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_root_path(path)
    assert str(refusal.value) == message
    assert refusal.value.field == "rootPath"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("/a", "/a", True),
        ("/a", "/a/b", True),
        ("/a/b", "/a", True),
        ("/", "/a", True),
        ("/a", "/", True),
        ("/", "/", True),
        ("/a", "/ab", False),
        ("/ab", "/a", False),
        ("/a/b", "/a/c", False),
        ("/a", "/A", False),
        ("/aX", "/a/b", False),
    ],
)
def test_folders_overlap_when_one_lies_in_the_other(one: str, other: str, expected: bool) -> None:
    assert overlap(one, other) is expected


def test_a_taken_folder_names_the_config_that_has_it() -> None:
    other = UUID(int=5)
    assert FolderTaken(other).other == other
    assert str(FolderTaken(other)) == (
        "rootPath: overlaps the folder of storage config 00000000-0000-0000-0000-000000000005; "
        "a folder belongs to one only"
    )


@pytest.mark.parametrize("name", ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires"])
def test_iana_names_are_time_zones(name: str) -> None:
    assert checked_time_zone(name) == name


@pytest.mark.parametrize("name", ["", "Mars/Base", "Europe", "../UTC", "/etc/localtime", "\0"])
def test_anything_else_is_none(name: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        checked_time_zone(name)
    assert str(refusal.value) == "timeZone: must be an IANA time zone such as Europe/Berlin"
    assert refusal.value.field == "timeZone"
