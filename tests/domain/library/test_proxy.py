from uuid import UUID

from domain.library.proxy import (
    ProxyKind,
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
