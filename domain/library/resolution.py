"""What a new or changed file is to the library, once its content is known.

An asset follows its content. The path that holds it is its holder; another path with the same
content is a duplicate. A path whose content is unknown keeps its asset, unless that asset's own
content lives on elsewhere.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final
from uuid import UUID

from domain.library.signature import Content

DEATHS_TO_GIVE_UP: Final = 2


class Action(Enum):
    TOUCH = auto()
    """The content is the one that was known: only the signature is new."""
    DUPLICATE = auto()
    """Another path holds this content."""
    MOVE = auto()
    """This content's path is gone: the asset comes along with id and proxies."""
    UPDATE = auto()
    """Decode; the path keeps its asset."""
    CREATE = auto()
    """Decode; a new asset."""
    GIVE_UP = auto()
    """The decoder died of it too often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPath:
    """What the library knows of the path: it holds the asset, or stands for it in another way."""

    content: Content | None
    asset_id: UUID | None
    is_holder: bool
    is_replaceable: bool
    """The asset is this path's to change: no other path holds or inherits its content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownContent:
    """The asset that has this content already."""

    asset_id: UUID
    is_held_elsewhere: bool
    """Another path still holds it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    action: Action
    asset_id: UUID | None = None
    is_restored: bool = False
    """A soft-deleted asset is back with it."""


def resolve(
    content: Content, path: KnownPath | None, twin: KnownContent | None, deaths: int
) -> Resolution:
    """The one action for a file; `deaths` counts the decoders that died while it was in flight."""
    if twin is not None:
        return _of_known_content(content, path, twin)
    if deaths >= DEATHS_TO_GIVE_UP:
        return Resolution(action=Action.GIVE_UP)
    if path is not None and path.asset_id is not None and path.is_replaceable:
        return Resolution(action=Action.UPDATE, asset_id=path.asset_id)
    return Resolution(action=Action.CREATE)


def _of_known_content(content: Content, path: KnownPath | None, twin: KnownContent) -> Resolution:
    if path is not None and path.is_holder and path.content == content:
        return Resolution(action=Action.TOUCH, asset_id=twin.asset_id)
    if twin.is_held_elsewhere:
        return Resolution(action=Action.DUPLICATE, asset_id=twin.asset_id)
    return Resolution(action=Action.MOVE, asset_id=twin.asset_id)
