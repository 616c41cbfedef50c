"""The owner of an asset sees its proxies."""

import re
from uuid import UUID, uuid4

import pytest

from application.use_cases.read_proxy import ReadProxy
from domain.errors import NotFound
from domain.library.proxy import ProxyKind
from tests.fakes.proxies import InMemoryOwnAssets, InMemoryProxyReader

ADA, BOB = UUID(int=1), UUID(int=2)
ASSET = UUID(int=3)


@pytest.fixture
def assets() -> InMemoryOwnAssets:
    return InMemoryOwnAssets({(ADA, ASSET): "00000000000000aa"})


@pytest.fixture
def proxies() -> InMemoryProxyReader:
    return InMemoryProxyReader(
        {(ASSET, ProxyKind.THUMBNAIL): b"small", (ASSET, ProxyKind.PREVIEW): b"large"}
    )


@pytest.fixture
def read(assets: InMemoryOwnAssets, proxies: InMemoryProxyReader) -> ReadProxy:
    return ReadProxy(assets=assets, proxies=proxies)


def test_each_kind_is_shown_to_the_owner(read: ReadProxy) -> None:
    thumbnail = read(ADA, ASSET, ProxyKind.THUMBNAIL)
    preview = read(ADA, ASSET, ProxyKind.PREVIEW)
    assert (thumbnail.jpeg, preview.jpeg) == (b"small", b"large")
    assert thumbnail.version != preview.version
    assert re.fullmatch(r"00000000000000aa-[0-9a-f]{24}", thumbnail.version)


def test_the_version_stays_while_nothing_changes_and_changes_with_either(
    read: ReadProxy, assets: InMemoryOwnAssets, proxies: InMemoryProxyReader
) -> None:
    first = read(ADA, ASSET, ProxyKind.PREVIEW).version
    assert read(ADA, ASSET, ProxyKind.PREVIEW).version == first
    assets.contents[ADA, ASSET] = "00000000000000bb"
    second = read(ADA, ASSET, ProxyKind.PREVIEW).version
    proxies.files[ASSET, ProxyKind.PREVIEW] = b"other"
    assert len({first, second, read(ADA, ASSET, ProxyKind.PREVIEW).version}) == 3


def test_nobody_else_reaches_the_disk(read: ReadProxy, proxies: InMemoryProxyReader) -> None:
    nothing = uuid4()
    for reader, asset in ((BOB, ASSET), (ADA, nothing)):
        with pytest.raises(NotFound, match=f"^there is no preview of an asset {asset}$"):
            read(reader, asset, ProxyKind.PREVIEW)
    assert proxies.asked == []


def test_what_is_not_on_disk_is_not_found(read: ReadProxy, proxies: InMemoryProxyReader) -> None:
    del proxies.files[ASSET, ProxyKind.PREVIEW]
    with pytest.raises(NotFound, match=f"^there is no preview of an asset {ASSET}$"):
        read(ADA, ASSET, ProxyKind.PREVIEW)
    assert proxies.asked == [ASSET]
