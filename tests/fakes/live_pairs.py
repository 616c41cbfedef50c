"""Which pictures and videos are a Live Photo, said a second time and without SQL."""

import re
from uuid import UUID

from domain.library.media_type import MediaFormat, MediaType
from tests.fakes.library import InMemoryLibrary

HALF = re.compile(rb"(.*/)?([^/]*)\.(?:heic|heif|jpe?g|mov)", re.IGNORECASE | re.DOTALL)
Worth = tuple[bool, bool, bool]


def choose_pairs(library: InMemoryLibrary) -> dict[UUID, UUID]:
    """The video of each picture that has one."""
    candidates = [
        (worth, video, still)
        for video in _living(library, is_video=True)
        for still in _living(library, is_video=False)
        if (worth := _worth(library, video, still)) is not None
    ]
    best: dict[UUID, tuple[Worth, UUID, UUID]] = {}
    for each in candidates:
        if each[1] not in best or each[0] > best[each[1]][0]:
            best[each[1]] = each
    pairs: dict[UUID, tuple[Worth, UUID, UUID]] = {}
    for each in best.values():
        if each[2] not in pairs or each[0][:2] > pairs[each[2]][0][:2]:
            pairs[each[2]] = each
    return {still: video for still, (_, video, _) in pairs.items()}


def _living(library: InMemoryLibrary, *, is_video: bool) -> list[UUID]:
    return [
        key
        for key, row in library.assets.items()
        if not row.is_missing and (row.developed.media_type is MediaType.VIDEO) is is_video
    ]


def _worth(library: InMemoryLibrary, video: UUID, still: UUID) -> Worth | None:
    picture = library.assets[still].developed
    one = library.assets[video].developed.metadata.content_identifier
    other = picture.metadata.content_identifier
    is_same = one is not None and one == other
    is_named_alike = bool(_names(library, video) & _names(library, still))
    if not is_same and (not is_named_alike or (one is not None and other is not None)):
        return None
    return is_same, is_named_alike, picture.format is MediaFormat.HEIC


def _names(library: InMemoryLibrary, asset_id: UUID) -> set[tuple[bytes | None, bytes]]:
    matches = [
        HALF.fullmatch(path)
        for path, row in library.files.items()
        if row.asset_id == asset_id and row.outcome in ("asset", "duplicate") and not row.is_missing
    ]
    return {(match.group(1), match.group(2).lower()) for match in matches if match}
