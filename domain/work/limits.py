"""What text and sizes the queue holds, and what happens to those that it can't."""

import re
from collections.abc import Mapping
from typing import Final

from domain.errors import InvalidInput

KIBIBYTE: Final = 1_024
PAYLOAD_BYTES: Final = 64 * KIBIBYTE
RESULT_DEPTH: Final = 32
RESULT_BYTES: Final = 256 * KIBIBYTE
ERROR_BYTES: Final = 8 * KIBIBYTE
NOTE_CHARACTERS: Final = 200
DEDUP_KEY_CHARACTERS: Final = 200
LARGEST_COUNT: Final = 2**63 - 1
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
ELISION: Final = "\n[… shortened …]\n"
_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")


def is_storable(text: str) -> bool:
    """Whether PostgreSQL and JSON can hold the text: no NUL and no lone surrogate."""
    return storable(text) == text


def storable(text: str) -> str:
    """The text with each NUL and lone surrogate replaced by U+FFFD."""
    return _UNSTORABLE.sub(REPLACEMENT, text)


def storable_json(value: object) -> object:
    """The JSON value with every text in it, names of members included, made storable."""
    match value:
        case str():
            return storable(value)
        case Mapping():
            return {storable(str(key)): storable_json(item) for key, item in value.items()}
        case list() | tuple():
            return [storable_json(item) for item in value]
        case _:
            return value


def is_deeper_than(value: object, levels: int) -> bool:
    """Whether objects and lists lie in each other more than so many levels deep."""
    match value:
        case Mapping():
            inner = list(value.values())
        case list() | tuple():
            inner = list(value)
        case _:
            return False
    return levels == 0 or any(is_deeper_than(each, levels - 1) for each in inner)


def cut_note(note: str) -> str:
    """A note as it is stored: storable, at most 200 characters."""
    return storable(note[:NOTE_CHARACTERS])


def cut_error(error: str) -> str:
    """An error as it is stored: storable, at most 8 KiB, head and tail kept around a mark."""
    encoded = storable(error).encode()
    if len(encoded) <= ERROR_BYTES:
        return encoded.decode()
    half = (ERROR_BYTES - len(ELISION.encode())) // 2
    # Where the cut tears a character of several bytes, the rest of it goes.
    return (
        encoded[:half].decode(errors="ignore") + ELISION + encoded[-half:].decode(errors="ignore")
    )


def check_dedup_key(key: str) -> None:
    """Refuse a dedup key that is empty, too long, or holds text that can't be stored."""
    if not key:
        raise InvalidInput("dedupKey", "must not be empty")
    if len(key) > DEDUP_KEY_CHARACTERS:
        raise InvalidInput("dedupKey", f"must have at most {DEDUP_KEY_CHARACTERS} characters")
    if not is_storable(key):
        raise InvalidInput("dedupKey", "must not contain NUL or lone surrogates")
