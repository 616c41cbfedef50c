"""What a file is to the library once its content is known."""

from uuid import uuid4

import pytest

from domain.library.media_type import MediaType
from domain.library.resolution import Action, KnownContent, KnownPath, Resolution, resolve
from domain.library.signature import Content

CONTENT, OTHER = Content(1, "a" * 16), Content(1, "b" * 16)
ASSET, MINE, NEW = uuid4(), uuid4(), uuid4()


def twin(*, elsewhere: bool = False, missing: bool = False) -> KnownContent:
    return KnownContent(
        asset_id=ASSET,
        media_type=MediaType.IMAGE,
        is_held_elsewhere=elsewhere,
        is_missing=missing,
    )


def path(
    content: Content | None = OTHER, *, holder: bool = True, replaceable: bool = True
) -> KnownPath:
    return KnownPath(content=content, asset_id=MINE, is_holder=holder, is_replaceable=replaceable)


def resolved(known: KnownPath | None, content: KnownContent | None, deaths: int = 0) -> Resolution:
    return resolve(CONTENT, known, content, deaths=deaths, new_id=NEW)


def about_the_twin(action: Action, *, restored: bool = False) -> Resolution:
    return Resolution(
        action=action, asset_id=ASSET, media_type=MediaType.IMAGE, is_restored=restored
    )


def test_unknown_content_under_a_new_path_is_a_new_asset() -> None:
    assert resolved(None, None) == Resolution(action=Action.CREATE, asset_id=NEW)


def test_unknown_content_under_a_known_path_keeps_the_asset() -> None:
    assert resolved(path(), None) == Resolution(action=Action.UPDATE, asset_id=MINE)


def test_unknown_content_does_not_take_an_asset_that_lives_on_elsewhere() -> None:
    known = path(replaceable=False)
    assert resolved(known, None) == Resolution(action=Action.CREATE, asset_id=NEW)


def test_unknown_content_under_a_path_that_never_held_an_asset_is_a_new_one() -> None:
    known = KnownPath(content=OTHER, asset_id=None, is_holder=False, is_replaceable=True)
    assert resolved(known, None) == Resolution(action=Action.CREATE, asset_id=NEW)


def test_known_content_under_its_own_path_is_only_touched() -> None:
    assert resolved(path(CONTENT), twin(missing=True)) == about_the_twin(
        Action.TOUCH, restored=True
    )
    assert resolved(path(CONTENT), twin()) == about_the_twin(Action.TOUCH)


@pytest.mark.parametrize("known", [None, path(), path(None), path(CONTENT, holder=False)])
def test_known_content_whose_path_is_gone_moves_here(known: KnownPath | None) -> None:
    assert resolved(known, twin()) == about_the_twin(Action.MOVE)
    assert resolved(known, twin(missing=True)) == about_the_twin(Action.MOVE, restored=True)


@pytest.mark.parametrize("known", [None, path(), path(None), path(CONTENT, holder=False)])
def test_known_content_that_another_path_holds_is_a_duplicate(known: KnownPath | None) -> None:
    assert resolved(known, twin(elsewhere=True)) == about_the_twin(Action.DUPLICATE)
    assert resolved(known, twin(elsewhere=True, missing=True)) == about_the_twin(Action.DUPLICATE)


def test_a_file_that_killed_two_runs_is_given_up() -> None:
    assert resolved(path(), None, deaths=1).action is Action.UPDATE
    assert resolved(path(), None, deaths=2) == Resolution(action=Action.GIVE_UP, asset_id=NEW)
    assert resolved(None, None, deaths=3).action is Action.GIVE_UP
    assert resolved(None, twin(), deaths=3).action is Action.MOVE
