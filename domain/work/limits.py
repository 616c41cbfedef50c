"""What text and sizes the queue holds, and what happens to those that it can't."""

from collections.abc import Mapping
from typing import Final

from domain.errors import InvalidInput

KIBIBYTE: Final = 1_024
PAYLOAD_BYTES: Final = 64 * KIBIBYTE
RESULT_BYTES: Final = 256 * KIBIBYTE
ERROR_BYTES: Final = 8 * KIBIBYTE
NOTE_CHARACTERS: Final = 200
DEDUP_KEY_CHARACTERS: Final = 200
LARGEST_COUNT: Final = 2**63 - 1
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"
ELISION: Final = "\n[… shortened …]\n"


def is_storable(text: str) -> bool:
    """Whether PostgreSQL and JSON can hold the text: no NUL and no lone surrogate."""
    return storable(text) == text


def storable(text: str) -> str:
    """The text with each NUL and lone surrogate replaced by U+FFFD."""
    return "".join(
        REPLACEMENT if character == "\0" or "\ud800" <= character <= "\udfff" else character
        for character in text
    )


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


def cut_note(note: str) -> str:
    """A note as it is stored: storable, at most 200 characters."""
    return storable(note[:NOTE_CHARACTERS])


def cut_error(error: str) -> str:
    """An error as it is stored: storable, at most 8 KiB, head and tail kept around a mark."""
    room = ERROR_BYTES - len(ELISION.encode())
    shortened = error if len(error) <= 2 * ERROR_BYTES else _ends(error)
    encoded = storable(shortened).encode()
    if len(encoded) <= ERROR_BYTES:
        return encoded.decode()
    head = encoded[: room // 2].decode(errors="ignore")
    tail = encoded[-(room // 2) :].decode(errors="ignore")
    return head + ELISION + tail


def _ends(text: str) -> str:
    """Both ends of a huge text: no more of it is looked at, let alone copied."""
    return text[:ERROR_BYTES] + text[-ERROR_BYTES:]


def check_dedup_key(key: str) -> None:
    """Refuse a dedup key that is empty, too long, or holds text that can't be stored."""
    if not key:
        raise InvalidInput("dedupKey", "must not be empty")
    if len(key) > DEDUP_KEY_CHARACTERS:
        raise InvalidInput("dedupKey", f"must have at most {DEDUP_KEY_CHARACTERS} characters")
    if not is_storable(key):
        raise InvalidInput("dedupKey", "must not contain NUL or lone surrogates")
