"""Live Photos of real files: which halves are a pair, and what their owner then has."""

import os
from io import BytesIO
from pathlib import Path
from uuid import UUID

import pytest
from PIL import ExifTags, Image

from tests.crawl.heic import exif_block, heic
from tests.crawl.library import Library
from tests.crawl.maker_note import apple_note
from tests.crawl.pictures import photo, write
from tests.crawl.videos import video

pytestmark = pytest.mark.postgres

ONE, OTHER = "0A0B0C0D-1111-2222-3333-444455556666", "FFFFFFFF-1111-2222-3333-444455556666"


def block(identifier: str) -> Image.Exif:
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.MakerNote] = apple_note(identifier)
    return exif


def still(identifier: str | None = None, comment: bytes = b"") -> bytes:
    exif = b"" if identifier is None else exif_block(block(identifier))
    return heic(exif=exif, comment=comment)


def jpeg(identifier: str) -> bytes:
    out = BytesIO()
    Image.new("RGB", (64, 48), (10, 20, 30)).save(out, "JPEG", exif=block(identifier))
    return out.getvalue()


def motion(identifier: str | None = None, frames: int = 3) -> bytes:
    tags = {"com.apple.quicktime.content.identifier": identifier} if identifier else {}
    return video("mov", tags, frames=frames)


def pairs(library: Library) -> dict[str, str]:
    """Pictures and their moving halves, by the paths that hold them."""
    return {
        row.still: row.motion
        for row in library.rows(
            "SELECT s.display_path AS still, m.display_path AS motion FROM media_assets v"
            " JOIN media_assets p ON p.id = v.still_id AND p.media_type = 'LivePhoto'"
            " JOIN source_files s ON s.asset_id = p.id AND s.outcome = 'asset'"
            " JOIN source_files m ON m.asset_id = v.id AND m.outcome = 'asset'"
            " WHERE v.storage_config_id = :config AND v.media_type = 'Video'"
        )
    }


def shown(name: str) -> str:
    return os.fsencode(name).decode(errors="replace")


def kinds(library: Library) -> dict[str, int]:
    return {
        row.media_type: row.assets
        for row in library.rows(
            "SELECT media_type, count(*) AS assets FROM media_assets"
            " WHERE storage_config_id = :config AND deleted_at IS NULL GROUP BY 1"
        )
    }


@pytest.mark.parametrize(
    ("picture", "clip"),
    [
        ("IMG_1.HEIC", "IMG_1.MOV"),
        ("img_1.heic", "IMG_1.mov"),
        ("IMG_1.JPG", "img_1.MoV"),
        ("É 1.jpeg", "é 1.mov"),
        ("caf\udce9.HEIC", "CAF\udce9.mov"),
    ],
)
def test_the_same_name_in_the_same_folder_is_a_pair(
    library: Library, picture: str, clip: str
) -> None:
    content = still() if "h" in picture.lower() else photo(1)
    write(library.root / "trip" / picture, content)
    write(library.root / "trip" / clip, motion())
    result = library.crawl()
    assert result["byMediaType"] == {"LivePhoto": 1, "Video": 1}
    assert pairs(library) == {shown(f"trip/{picture}"): shown(f"trip/{clip}")}
    assert kinds(library) == {"LivePhoto": 1, "Video": 1}


@pytest.mark.parametrize(
    ("picture", "clip"),
    [
        (b"a/1.HEIC", b"b/1.MOV"),
        (b"1.HEIC", b"1.mp4"),
        (b"1.HEIC", b"1 (1).MOV"),
        (b"1.png", b"1.MOV"),
        (b"d/1.HEIC", b"D/1.MOV"),
        (b"caf\xe9.heic", b"caf\xe8.mov"),
        (b"caf\xe9/1.heic", b"caf\xe8/1.mov"),
    ],
)
def test_other_names_are_no_pair(library: Library, picture: bytes, clip: bytes) -> None:
    for name, content in (
        (picture, photo(1) if picture.endswith(b"png") else still()),
        (clip, motion()),
    ):
        write(Path(os.fsdecode(os.fsencode(library.root) + b"/" + name)), content)
    library.crawl()
    assert kinds(library) == {"Image": 1, "Video": 1}


def test_identifiers_that_differ_make_two_assets(library: Library) -> None:
    write(library.root / "1.HEIC", still(ONE))
    write(library.root / "1.MOV", motion(OTHER))
    assert library.crawl()["byMediaType"] == {"Image": 1, "Video": 1}


def test_the_same_identifier_is_a_pair_whatever_the_names(library: Library) -> None:
    write(library.root / "IMG_4.HEIC", still(ONE))
    write(library.root / "IMG_4_HEVC.MOV", motion(ONE.lower()))
    write(library.root / "IMG_5.JPG", jpeg(OTHER))
    write(library.root / "clips" / "x.MOV", motion(OTHER))
    library.crawl()
    assert pairs(library) == {"IMG_4.HEIC": "IMG_4_HEVC.MOV", "IMG_5.JPG": "clips/x.MOV"}


def test_the_identifier_counts_more_than_the_name(library: Library) -> None:
    write(library.root / "1.HEIC", still())
    write(library.root / "2.HEIC", still(ONE))
    write(library.root / "1.MOV", motion(ONE))
    library.crawl()
    assert pairs(library) == {"2.HEIC": "1.MOV"}
    assert kinds(library) == {"Image": 1, "LivePhoto": 1, "Video": 1}


def test_a_copy_in_another_format_leaves_the_original_its_half(library: Library) -> None:
    write(library.root / "1.JPG", photo(1))
    write(library.root / "1.HEIC", still())
    write(library.root / "1.MOV", motion())
    library.crawl()
    assert pairs(library) == {"1.HEIC": "1.MOV"}


def test_edited_pairs_with_one_identifier_keep_to_their_names(library: Library) -> None:
    for number, name in enumerate(("IMG_1", "IMG_E1")):
        write(library.root / f"{name}.HEIC", still(ONE, comment=name.encode()))
        write(library.root / f"{name}.MOV", motion(ONE, frames=3 + number))
    library.crawl()
    assert pairs(library) == {"IMG_1.HEIC": "IMG_1.MOV", "IMG_E1.HEIC": "IMG_E1.MOV"}


def test_copies_of_both_halves_are_found_by_any_of_their_names(library: Library) -> None:
    for folder in ("a", "b"):
        write(library.root / folder / "1.HEIC", still())
        write(library.root / folder / "1.MOV", motion())
    result = library.crawl()
    assert (result["ingested"], result["duplicate"]) == (2, 2)
    assert result["byMediaType"] == {"LivePhoto": 2, "Video": 2}
    (library.root / "a" / "1.HEIC").unlink()
    (library.root / "b" / "1.MOV").unlink()
    write(library.root / "c.jpg", photo(1))
    library.crawl()
    assert kinds(library) == {"Image": 2, "Video": 1}


def ids(library: Library) -> dict[bytes, UUID]:
    return library.holders()


def test_a_half_that_goes_and_returns_finds_its_other_half_again(library: Library) -> None:
    write(library.root / "1.HEIC", still())
    clip = write(library.root / "1.MOV", motion())
    library.crawl()
    before, aside = ids(library), clip.read_bytes()
    clip.unlink()
    assert library.crawl()["byMediaType"] == {"Image": 1}
    write(clip, aside)
    assert library.crawl()["byMediaType"] == {"LivePhoto": 1, "Video": 1}
    assert ids(library) == before
    (library.root / "1.HEIC").unlink()
    library.crawl()
    assert kinds(library) == {"Video": 1}


def test_a_pair_that_is_moved_stays_one_and_a_half_that_is_renamed_does_not(
    library: Library,
) -> None:
    picture = write(library.root / "1.HEIC", still())
    clip = write(library.root / "1.MOV", motion())
    library.crawl()
    before = set(ids(library).values())
    (library.root / "new").mkdir()
    picture.rename(library.root / "new" / "1.HEIC")
    clip.rename(library.root / "new" / "1.MOV")
    assert library.crawl()["moved"] == 2
    assert pairs(library) == {"new/1.HEIC": "new/1.MOV"}
    (library.root / "new" / "1.MOV").rename(library.root / "new" / "2.MOV")
    library.crawl()
    assert kinds(library) == {"Image": 1, "Video": 1}
    assert set(ids(library).values()) == before


def test_a_clip_that_becomes_another_one_is_paired_as_that(library: Library) -> None:
    write(library.root / "1.HEIC", still(ONE))
    clip = write(library.root / "1.MOV", motion(ONE))
    library.crawl()
    write(clip, motion(OTHER, frames=7))
    assert library.crawl()["updated"] == 1
    assert kinds(library) == {"Image": 1, "Video": 1}


def test_unchanged_pairs_are_not_written_again(library: Library) -> None:
    write(library.root / "1.HEIC", still(ONE))
    write(library.root / "1.MOV", motion(ONE))
    library.crawl()
    before = library.rows("SELECT *, xmin::text FROM media_assets ORDER BY id")
    library.crawl()
    assert library.rows("SELECT *, xmin::text FROM media_assets ORDER BY id") == before


def test_pairs_of_two_configs_do_not_mix(library: Library, second_library: Library) -> None:
    write(library.root / "1.HEIC", still(ONE))
    write(second_library.root / "1.MOV", motion(ONE))
    library.crawl()
    second_library.crawl()
    assert kinds(library) == {"Image": 1}
    assert kinds(second_library) == {"Video": 1}


def test_both_halves_are_ingested_one_after_the_other(library: Library) -> None:
    for number in range(6):
        write(library.root / f"{number}.HEIC", still(comment=bytes([number])))
        write(library.root / f"{number}.MOV", motion(frames=3 + number))
    library.concurrency = 1
    library.crawl()
    rows = library.rows(
        "SELECT s.display_path FROM media_assets a JOIN source_files s ON s.asset_id = a.id"
        " ORDER BY a.created_at"
    )
    paths = [row.display_path for row in rows]
    assert paths == [f"{number}.{half}" for number in range(6) for half in ("HEIC", "MOV")]


def test_an_identifier_that_all_share_pairs_nothing_and_costs_nothing(library: Library) -> None:
    write(library.root / "1.HEIC", still())
    library.crawl()
    library.run(
        "INSERT INTO media_assets (id, storage_config_id, media_type, format, content_size,"
        " content_hash, width, height, blurhash, content_identifier)"
        " SELECT gen_random_uuid(), :config, CASE WHEN n % 2 = 0 THEN 'Image' ELSE 'Video' END,"
        " 'x', n, md5(n::text)::text::varchar(16), 1, 1, '', :identifier"
        " FROM generate_series(1, 20000) n",
        config=library.config,
        identifier=ONE,
    )
    write(library.root / "1.MOV", motion())
    result = library.crawl()
    assert result["byMediaType"] == {"LivePhoto": 1, "Video": 1}
    assert pairs(library) == {"1.HEIC": "1.MOV"}
