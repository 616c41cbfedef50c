"""What a check says of a file, as a value: both of its answers can be expected."""

from collections.abc import Callable
from typing import ParamSpec

from application.ports.media_developer import DamagedMedium

P = ParamSpec("P")
CUT_OFF, GAPS = "the picture is cut off", "the picture has gaps"


def refusal(check: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> str | None:
    """Why the file is refused; None where it is let through."""
    try:
        check(*args, **kwargs)
    except DamagedMedium as error:
        return str(error)
    return None
