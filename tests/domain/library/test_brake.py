import pytest

from domain.library.brake import holds_back


@pytest.mark.parametrize(
    ("going", "living", "expected"),
    [(0, 0, False), (20, 20, False), (21, 21, True), (21, 41, True), (21, 42, False),
     (21, 43, False), (500, 1000, False), (501, 1000, True)],
)  # fmt: skip
def test_it_holds_where_more_than_twenty_and_more_than_half_would_go(
    going: int, living: int, expected: bool
) -> None:
    assert holds_back(going, living, is_allowed=False) is expected


def test_it_lets_through_what_an_admin_allows() -> None:
    assert holds_back(21, 21, is_allowed=True) is False
    assert holds_back(0, 21, is_allowed=True) is False
