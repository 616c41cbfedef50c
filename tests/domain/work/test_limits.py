"""Text and sizes: what is kept, what is replaced, and where the ends are."""

import pytest

from domain.errors import InvalidInput
from domain.work.limits import (
    check_dedup_key,
    cut_error,
    cut_note,
    is_deeper_than,
    is_storable,
    storable,
    storable_json,
)

MARK = "\N{REPLACEMENT CHARACTER}"
ELISION = "\n[… shortened …]\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("plain", "plain"),
        ("a\0b", f"a{MARK}b"),
        ("a\ud800", f"a{MARK}"),
        ("\udfffb", f"{MARK}b"),
        ("\ud7ff\ue000", "\ud7ff\ue000"),
        ("\U0001f600 \u202e\x01", "\U0001f600 \u202e\x01"),
    ],
)
def test_only_nul_and_lone_surrogates_are_replaced(text: str, expected: str) -> None:
    assert storable(text) == expected
    assert is_storable(text) is (text == expected)


def test_json_is_cleaned_to_its_leaves_and_names() -> None:
    value = {"a\0": ["\0", ("x\ud800", 1)], 2: {"b": "\0"}, "n": None, "t": True, "f": 1.5}
    assert storable_json(value) == {
        f"a{MARK}": [MARK, [f"x{MARK}", 1]],
        "2": {"b": MARK},
        "n": None,
        "t": True,
        "f": 1.5,
    }


@pytest.mark.parametrize(
    ("value", "levels", "deeper"),
    [
        (1, 0, False),
        ({}, 0, True),
        ({}, 1, False),
        ({"a": [1]}, 1, True),
        ({"a": [1]}, 2, False),
        ([({},)], 2, True),
        ([1, {"a": {}}], 2, True),
        ([1, {"a": {}}], 3, False),
    ],
)
def test_depth_counts_objects_and_lists(value: object, levels: int, deeper: bool) -> None:
    assert is_deeper_than(value, levels) is deeper


def test_a_note_keeps_200_characters() -> None:
    assert cut_note("n" * 200) == "n" * 200
    assert cut_note("n" * 201) == "n" * 200
    assert cut_note("\0" * 200) == MARK * 200


def test_an_error_within_8_kib_is_kept_whole() -> None:
    assert cut_error("e" * 8192) == "e" * 8192
    assert cut_error("\0") == MARK


def test_a_longer_error_keeps_head_and_tail_around_a_mark() -> None:
    half = (8192 - len(ELISION.encode())) // 2
    cut = cut_error("h" * 8000 + "t" * 8000)
    assert cut == "h" * half + ELISION + "t" * half
    assert cut_error("h" * 4096 + "t" * 4097) == "h" * half + ELISION + "t" * half


def test_a_huge_error_keeps_its_own_ends() -> None:
    cut = cut_error("begin" + "x" * 20_000_000 + "end")
    assert cut.startswith("beginx")
    assert cut.endswith("xend")
    assert len(cut.encode()) <= 8192


def test_of_a_longer_error_both_ends_are_kept_to_the_character() -> None:
    half = (8192 - len(ELISION.encode())) // 2
    text = "".join(chr(ord("a") + number % 26) for number in range(16_385))
    assert cut_error(text) == text[:half] + ELISION + text[-half:]


def test_characters_of_several_bytes_are_not_torn() -> None:
    cut = cut_error("€" * 5000)
    assert len(cut.encode()) <= 8192
    assert set(cut.replace(ELISION, "")) == {"€"}
    assert len(cut.encode()) > 8192 - 6


@pytest.mark.parametrize("key", ["k", "crawl:1", "k" * 200])
def test_dedup_keys_of_1_to_200_characters_are_taken(key: str) -> None:
    check_dedup_key(key)


@pytest.mark.parametrize(
    ("key", "complaint"),
    [
        ("", "dedupKey: must not be empty"),
        ("k" * 201, "dedupKey: must have at most 200 characters"),
        ("k\0", "dedupKey: must not contain NUL or lone surrogates"),
        ("k\udc80", "dedupKey: must not contain NUL or lone surrogates"),
    ],
)
def test_other_dedup_keys_are_refused_with_a_reason(key: str, complaint: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        check_dedup_key(key)
    assert str(refused.value) == complaint
    assert (refused.value.field, refused.value.reason) == tuple(complaint.split(": "))
