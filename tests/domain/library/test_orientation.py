import pytest

from domain.library.orientation import Orientation, orientation_of


@pytest.mark.parametrize(
    ("tag", "degrees", "is_mirrored"),
    [(1, 0, False), (2, 0, True), (3, 180, False), (4, 180, True), (5, 270, True), (6, 90, False),
     (7, 90, True), (8, 270, False), (0, 0, False), (9, 0, False), (None, 0, False)],
)  # fmt: skip
def test_each_tag_asks_for_its_turn(tag: int | None, degrees: int, is_mirrored: bool) -> None:
    assert orientation_of(tag) == Orientation(degrees, is_mirrored)


@pytest.mark.parametrize(
    ("degrees", "expected"), [(0, (4, 3)), (90, (3, 4)), (180, (4, 3)), (270, (3, 4))]
)
def test_a_quarter_turn_swaps_width_and_height(degrees: int, expected: tuple[int, int]) -> None:
    assert Orientation(degrees, is_mirrored=False).displayed(4, 3) == expected
