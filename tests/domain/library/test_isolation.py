import pytest

from domain.library.isolation import is_decoded_apart


@pytest.mark.parametrize(
    ("attempt", "is_suspect", "apart"),
    [(1, False, False), (2, False, False), (3, False, True), (4, False, True), (1, True, True)],
)
def test_suspects_and_every_file_of_a_third_attempt_are_decoded_apart(
    attempt: int, *, is_suspect: bool, apart: bool
) -> None:
    assert is_decoded_apart(attempt=attempt, is_suspect=is_suspect) is apart
