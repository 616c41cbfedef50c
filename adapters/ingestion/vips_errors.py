"""Keeps a damaged file's bytes from spoiling the errors of all files after it."""

import pyvips
import pyvips.error


def take_any_text() -> None:
    """Errors quote what libvips cannot read, and pyvips decodes that as strict UTF-8.

    One odd byte in the buffer, which all threads share, made every later call that met an error
    raise UnicodeDecodeError, of good files too: what was never read out was never cleared.
    """
    pyvips.error._to_string = _text  # noqa: SLF001  # pyvips has no door to it


def _text(value: object) -> str:
    if value == pyvips.ffi.NULL:
        return "NULL"
    text = pyvips.ffi.string(value)
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
