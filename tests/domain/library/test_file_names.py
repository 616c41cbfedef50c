"""What is passed over, and how paths are shown."""

import pytest

from domain.library.file_names import (
    display_text,
    is_passed_over_file,
    is_passed_over_folder,
)


@pytest.mark.parametrize(
    "name",
    [
        b".hidden", b".", b"@eaDir", b"@EADIR", b"#recycle", b"@Recycle", b"lost+found",
        b"$RECYCLE.BIN", b"System Volume Information",
    ],
)  # fmt: skip
def test_folders_of_the_system_are_passed_over(name: bytes) -> None:
    assert is_passed_over_folder(name)


@pytest.mark.parametrize("name", [b"eaDir", b"recycle", b"a.tmp", b"trip~", b"lost+found 2"])
def test_other_folders_are_not(name: bytes) -> None:
    assert not is_passed_over_folder(name)


@pytest.mark.parametrize(
    "name", [b"._a.jpg", b".DS_Store", b"a.tmp", b"A.TMP", b"a.jpg~", b"a.part", b"a.crdownload"]
)
def test_files_of_the_system_and_unfinished_ones_are_passed_over(name: bytes) -> None:
    assert is_passed_over_file(name)


@pytest.mark.parametrize("name", [b"a.jpg", b"a.tmp.jpg", b"~a.jpg", b"part", b"@eaDir"])
def test_other_files_are_not(name: bytes) -> None:
    assert not is_passed_over_file(name)


def test_a_path_is_shown_with_a_mark_where_it_is_not_utf8() -> None:
    assert display_text("é/😀.jpg".encode()) == "é/😀.jpg"
    assert display_text(b"caf\xe9.jpg") == "caf\N{REPLACEMENT CHARACTER}.jpg"
