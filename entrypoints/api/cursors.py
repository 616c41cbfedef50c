"""Cursors of lists: opaque to clients, and read with distrust."""

import base64
from typing import TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from domain.errors import InvalidInput

LARGEST_NUMBER = 2**63 - 1


class Cursor(BaseModel):
    """What a list needs to go on; clients get it as one piece of text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def text(self) -> str:
        """URL-safe, without padding."""
        return base64.urlsafe_b64encode(self.model_dump_json().encode()).rstrip(b"=").decode()


class FailureCursor(Cursor):
    """A place among the failures of one crawl."""

    item: UUID
    number: int = Field(ge=0, le=LARGEST_NUMBER)


C = TypeVar("C", bound=Cursor)


def read_cursor(text: str | None, model: type[C]) -> C | None:
    """The cursor that a list gave out; InvalidInput for what none could have given."""
    if text is None:
        return None
    try:
        padded = text.encode("ascii") + b"=" * (-len(text) % 4)
        return model.model_validate_json(base64.b64decode(padded, b"-_", validate=True))
    except ValueError as error:  # of the alphabet, of the padding, and of the model
        raise InvalidInput("cursor", "is not one that this list gave out") from error
