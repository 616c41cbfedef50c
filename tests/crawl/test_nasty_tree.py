"""The corpus' hostile folder, crawled as an ordinary user, against all that is expected of it."""

import csv
import shutil
import subprocess
import sys
from typing import Final, NamedTuple

import pytest

from tests.corpus import CORPUS, needs_corpus
from tests.crawl.library import Library
from tests.unprivileged import as_ordinary_user

pytestmark = [pytest.mark.postgres, needs_corpus]


class Row(NamedTuple):
    """What `source_files` and the asset say of a path."""

    outcome: str
    reason: str | None = None
    media_types: tuple[str, ...] = ("Image", "Video")


IMAGE = Row("asset", None, ("Image",))
DAMAGED = Row("failed", "damaged")
NO_ROW = None
IS_THERE = (IMAGE, Row("duplicate", None, ("Image",)))

# The expectations' own words. Whatever is not here fails the test.
MEANING: Final[dict[str, tuple[Row | None, ...]]] = {
    "ingested": (Row("asset"),),
    "ingested upright": (IMAGE,),
    "ingested as image": (IMAGE,),
    "Live Photo pair": (Row("asset", None, ("LivePhoto", "Video")),),
    "Live Photo pair (JPEG)": (Row("asset", None, ("LivePhoto", "Video")),),
    "two assets": (Row("asset"),),
    "still ingested; motion part failed": (IMAGE, DAMAGED),
    "skipped: empty": (Row("skipped", "empty"),),
    "skipped: unsupported type": (Row("skipped", "unsupported"),),
    "skipped: no video stream": (Row("skipped", "no video stream"),),
    "failed: truncated": (DAMAGED,),
    "failed: unreadable video": (DAMAGED,),
    "failed: not an image": (Row("failed", "not an image"),),
    "failed: not a video": (Row("failed", "not a video"),),
    "failed: too many pixels (or done within the memory limit)": (
        Row("skipped", "too many pixels"),
    ),
    "skipped: duplicate": IS_THERE,
    "skipped: duplicate of dup/a/orient_5.jpg (one asset, found 2)": IS_THERE,
    "ignored": (NO_ROW,),
    "ignored, must not block": (NO_ROW,),
    "not followed (counted once as a link)": (NO_ROW,),
    "not reached: folder unreadable (1 warning, rest of the crawl goes on, nothing under it marked"
    " missing)": (NO_ROW,),
}
OTHERWISE: Final[dict[str, tuple[Row | None, ...]]] = {
    # Not among the names that are passed over, so it is found, counted and not opened.
    "Thumbs.db": (Row("skipped", "unsupported"),),
    # Of three copies any one may hold the asset: folders have no order.
    "dup/a/orient_5.jpg": IS_THERE,
}
COPIES: Final = ("dup/a/orient_5.jpg", "dup/b/copy.jpg", "orient/o5.jpg")


def make_nasty_tree(library: Library) -> list[dict[str, str]]:
    """Write the folder; its expectations."""
    shutil.rmtree(library.root)
    script = CORPUS / "make_nasty_tree.py"
    subprocess.run(
        [sys.executable, script, library.root], check=True, timeout=60, stdout=subprocess.DEVNULL
    )
    expected = library.root.with_name(library.root.name + ".expected.csv")
    with expected.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def found(library: Library) -> dict[str, Row]:
    """By path, written as the expectations write it."""
    rows = library.rows(
        "SELECT s.path, s.outcome, s.reason, coalesce(a.media_type, '') AS media_type"
        " FROM source_files s LEFT JOIN media_assets a ON a.id = s.asset_id"
        " WHERE s.storage_config_id = :config"
    )
    return {
        bytes(row.path).decode(errors="backslashreplace"): Row(
            row.outcome, row.reason, (row.media_type,)
        )
        for row in rows
    }


def fits(actual: Row | None, allowed: tuple[Row | None, ...]) -> bool:
    return any(
        actual is wanted
        if actual is None or wanted is None
        else actual[:2] == wanted[:2]
        and (actual.media_types == ("",) or actual.media_types[0] in wanted.media_types)
        for wanted in allowed
    )


def test_every_entry_comes_to_what_is_expected_of_it(
    guarded_library: Library, second_library: Library
) -> None:
    make_nasty_tree(second_library)
    second_library.crawl()  # what decoders import on first use may lie in root's home
    library = guarded_library
    expected = make_nasty_tree(library)
    with as_ordinary_user():
        result = library.crawl()
        second = library.crawl()
    actual = found(library)
    wrong = [
        f"{row['path']} is {actual.get(row['path'])} and should be {row['expected']}"
        for row in expected
        if not fits(actual.get(row["path"]), OTHERWISE.get(row["path"]) or MEANING[row["expected"]])
    ]
    assert wrong == []
    assert actual.keys() <= {row["path"] for row in expected}
    assert (result["skippedByReason"]["link"], result["skippedByReason"]["special file"]) == (4, 1)
    assert (result["foldersUnreadable"], result["missing"], result["outside"]) == (1, 0, 0)
    assert sorted(actual[path].outcome for path in COPIES) == ["asset", "duplicate", "duplicate"]
    assert (second["found"], second["bytesRead"], second["ingested"]) == (result["found"], 0, 0)


def test_the_two_halves_of_its_live_photos_know_each_other(library: Library) -> None:
    make_nasty_tree(library)
    library.crawl()
    pairs = library.rows(
        "SELECT still.path AS still, motion.path AS motion FROM media_assets v"
        " JOIN source_files motion ON motion.asset_id = v.id"
        " JOIN source_files still ON still.asset_id = v.still_id"
    )
    assert {(bytes(row.still), bytes(row.motion)) for row in pairs} >= {
        (b"live/LIVE_0001.HEIC", b"live/LIVE_0001.MOV")
    }
