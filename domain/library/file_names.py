"""Names: which are passed over, and how a path of any bytes is shown as text."""

from typing import Final

PASSED_OVER_FOLDERS: Final = frozenset(
    {
        b"@eadir",
        b"#recycle",
        b"@recycle",
        b"lost+found",
        b"$recycle.bin",
        b"system volume information",
    }
)
PASSED_OVER_ENDINGS: Final = (b".tmp", b"~", b".part", b".crdownload")


def is_passed_over_folder(name: bytes) -> bool:
    """Hidden folders and those that a NAS or a system keeps for itself."""
    return name.startswith(b".") or name.lower() in PASSED_OVER_FOLDERS


def is_passed_over_file(name: bytes) -> bool:
    """Hidden files (AppleDouble's `._*` among them) and what is still being written."""
    return name.startswith(b".") or name.lower().endswith(PASSED_OVER_ENDINGS)


def display_text(path: bytes) -> str:
    """The path as text that a database takes; bytes that are not UTF-8 become U+FFFD."""
    return path.decode(errors="replace")
