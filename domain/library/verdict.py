"""What can become of a file that a crawl found; each file gets exactly one."""

from dataclasses import dataclass
from enum import StrEnum

from domain.library.media_type import MediaType


class Disposition(StrEnum):
    """The names are the result's keys; they add up to what was found."""

    INGESTED = "ingested"
    UPDATED = "updated"
    MOVED = "moved"
    DUPLICATE = "duplicate"
    UNCHANGED = "unchanged"
    SKIPPED = "skipped"
    FAILED = "failed"


class SkipReason(StrEnum):
    EMPTY = "empty"
    UNSUPPORTED = "unsupported"
    """The extension is not one of ours; tried again by a release that knows it."""
    UNSUPPORTED_CONTENT = "unsupported content"
    """The extension is ours, the content is media of another format."""
    TOO_MANY_PIXELS = "too many pixels"
    TOO_LARGE = "too large to decode"
    NO_VIDEO_STREAM = "no video stream"
    CHANGING = "changing"
    LINK = "link"
    SPECIAL = "special file"
    OTHER_DEVICE = "other device"


class FailReason(StrEnum):
    NOT_AN_IMAGE = "not an image"
    NOT_A_VIDEO = "not a video"
    DAMAGED = "damaged"
    UNREADABLE = "unreadable"
    CRASHES = "crashes the decoder"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What became of one file, with what it cost."""

    disposition: Disposition
    media_type: MediaType | None = None
    reason: str | None = None
    is_restored: bool = False
    bytes_read: int = 0
    proxies_written: int = 0
