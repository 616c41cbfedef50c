"""What a new or changed file is to the library, once its content is known.

An asset follows its content. The path that holds it is its holder; another path with the same
content is a duplicate. A path whose content is unknown keeps its asset, unless that asset's own
content lives on elsewhere.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final
from uuid import UUID

from domain.library.media_type import MediaType
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
    media_type: MediaType
    """The file's: the picture of a Live Photo is a picture."""
    is_held_elsewhere: bool
    """Another path still holds it."""
    is_missing: bool
    """The asset is soft-deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    action: Action
    asset_id: UUID
    media_type: MediaType | None = None
    is_restored: bool = False
    """A soft-deleted asset is back with it."""


def resolve(
    content: Content,
    path: KnownPath | None,
    twin: KnownContent | None,
    *,
    deaths: int,
    new_id: UUID,
) -> Resolution:
    """The one action for a file, and the asset that it is about.

    `deaths` counts the decoders that died while the file was in flight; `new_id` is for an asset
    to be.
    """
    if twin is not None:
        return _of_known_content(content, path, twin)
    if deaths >= DEATHS_TO_GIVE_UP:
        return Resolution(action=Action.GIVE_UP, asset_id=new_id)
    if path is not None and path.asset_id is not None and path.is_replaceable:
        return Resolution(action=Action.UPDATE, asset_id=path.asset_id)
    return Resolution(action=Action.CREATE, asset_id=new_id)


def _of_known_content(content: Content, path: KnownPath | None, twin: KnownContent) -> Resolution:
    action = _action_of_known_content(content, path, twin)
    return Resolution(
        action=action,
        asset_id=twin.asset_id,
        media_type=twin.media_type,
        is_restored=twin.is_missing and action is not Action.DUPLICATE,
    )


def _action_of_known_content(
    content: Content, path: KnownPath | None, twin: KnownContent
) -> Action:
    if path is not None and path.is_holder and path.content == content:
        return Action.TOUCH
    return Action.DUPLICATE if twin.is_held_elsewhere else Action.MOVE
