import pytest

from domain.library.camera_text import camera_text


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (None, None),
        (b"", None),
        (b"   ", None),
        (b"\x00Cam", None),
        (b"Cam\x00\xff\xfejunk\x00", "Cam"),
        ("Caf\u00e9".encode(), "Café"),
        (b"Caf\xe9 Kamera  ", "Café Kamera"),
        (b"\xca\xfd\xc2\xeb", "ÊýÂë"),
        (b"a\x01\x1f\x7fb\tc\n", "abc"),
        (b"a\xc2\x85b", "ab"),
        (b"A" * 200, "A" * 200),
        (b"A" * 10_000, "A" * 200),
        (b"A" * 199 + b" B", "A" * 199),
        (("😀" * 300).encode(), "😀" * 200),
    ],
)
def test_text_of_any_bytes_is_fit_to_store(raw: bytes | None, expected: str | None) -> None:
    assert camera_text(raw) == expected
