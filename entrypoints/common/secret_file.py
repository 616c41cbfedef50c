"""Secrets that stand in a file, as containers get them."""

from pathlib import Path

from domain.errors import InvalidInput


def secret_in(path: Path, setting: str) -> str:
    """The file's text without the end of its line; InvalidInput names the setting and the file."""
    try:
        return path.read_text().rstrip("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InvalidInput(setting, f"{path} cannot be read: {why}") from error
