from uuid import UUID

import pytest

from domain.library.proxy import (
    ProxyKind,
    is_among_proxies,
    is_proxy_folder,
    jpeg_quality,
    longest_side,
    proxy_file_name,
    proxy_folder,
)


def test_each_proxy_has_its_size_quality_and_name() -> None:
    small, large = ProxyKind.THUMBNAIL, ProxyKind.PREVIEW
    assert (longest_side(small), jpeg_quality(small)) == (300, 75)
    assert (longest_side(large), jpeg_quality(large)) == (1920, 85)
    assert proxy_file_name(small) == "thumbnail.jpg"
    assert proxy_file_name(large) == "preview.jpg"


def test_the_folder_comes_from_the_id() -> None:
    asset = UUID("01234567-89ab-4def-8123-456789abcdef")
    assert proxy_folder(asset) == "01/23456789ab4def8123456789abcdef"


def test_a_folder_of_proxies_is_known_by_its_shape() -> None:
    assert is_proxy_folder(b"01/23456789ab4def8123456789abcdef")
    for other in (
        b"",
        b"01",
        b"98/summer",
        b"01/23456789AB4DEF8123456789ABCDEF",
        b"01/23456789ab4def8123456789abcdef0",
        b"a/01/23456789ab4def8123456789abcdef",
        b"01/23456789ab4def8123456789abcdef/x",
    ):
        assert not is_proxy_folder(other)


@pytest.mark.parametrize(
    ("path", "is_among"),
    [(b"ab", True), (b"ab/23", True), (b".", False), (b"anna/ab", False), (b"abc", False)],
)
def test_what_lies_among_the_folders_of_proxies(path: bytes, is_among: bool) -> None:
    assert is_among_proxies(path) is is_among
