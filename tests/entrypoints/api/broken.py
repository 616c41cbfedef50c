from dataclasses import dataclass
from typing import NoReturn


@dataclass
class Broken:
    """In the place of a use case: it always fails, with what nobody may be told."""

    def __call__(self, *_: object, **__: object) -> NoReturn:
        raise ZeroDivisionError("a secret detail")
