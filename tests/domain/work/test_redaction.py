"""An admin reads errors; no path and no file name may be in one."""

import pytest

from domain.work.redaction import describe_error, redact

ROOTS = ("/data/originals", "/mnt/nas/", "", "/mnt/AX")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no path at all", "no path at all"),
        ("cannot open /tmp/x.bin", "cannot open <path>"),
        ("'/tmp/my secret.bin' is bad", "<path> is bad"),
        ('"/tmp/my secret.bin" is bad', "<path> is bad"),
        ("`/tmp/a b` is bad", "<path> is bad"),
        ("b'/tmp/a b\\xff' is bad", "b<path> is bad"),
        ("bad: /data/originals/Anna and Ben/first kiss.jpg", "bad: <path>"),
        ("bad: /mnt/nas/Anna and Ben/x\nsecond line", "bad: <path>\nsecond line"),
        ("bad: /mnt/AX/Anna and Ben/x", "bad: <path>"),
        ("in 2014/Anna/IMG_1.jpg at 3", "in <path> at 3"),
        ("file IMG_1.JPG, size 3", "file <path>, size 3"),
        ("file (IMG_1.heic) broken", "file (<path>) broken"),
        ("'a name' and 'b/c d' differ", "'a name' and <path> differ"),
        ("ratio 3 / 4", "ratio 3 / 4"),
        ("'C:\\photos\\a b' is bad", "<path> is bad"),
        ("a:/x/y and (/x/y)", "a:<path> and (<path>"),
    ],
)
def test_paths_and_names_of_media_become_a_mark(text: str, expected: str) -> None:
    assert redact(text, ROOTS) == expected


@pytest.mark.parametrize("roots", [("/data", "/data/originals"), ("/data/originals", "/data")])
def test_roots_may_lie_in_each_other(roots: tuple[str, ...]) -> None:
    assert redact("at /data/originals/Anna x", roots) == "at <path>"


@pytest.mark.parametrize(
    ("message", "expected"),
    [("broken", "ValueError: broken"), ("", "ValueError"), ("  ", "ValueError")],
)
def test_an_error_is_its_type_and_message(message: str, expected: str) -> None:
    assert describe_error("ValueError", message) == expected


def test_an_errors_message_is_redacted_with_the_roots_and_cut() -> None:
    text = "bad: /data/originals/Anna and Ben/x"
    assert describe_error("E", text, ROOTS) == "E: bad: <path>"
    assert len(describe_error("E", "x" * 1_000_000).encode()) <= 8192


def test_both_ends_of_a_huge_message_are_kept() -> None:
    described = describe_error("E", "begin " + "x " * 10_000_000 + "end")
    assert described.startswith("E: begin x")
    assert described.endswith("x end")
