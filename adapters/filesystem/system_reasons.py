"""What the system says of an error, without the path that is in the error's own text."""

import os


def reason_of(error: OSError) -> str:
    """The system's words for the error's number, or else the error's type."""
    return os.strerror(error.errno) if error.errno else type(error).__name__
