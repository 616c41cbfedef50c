"""From which address a request comes."""

import logging
from ipaddress import ip_network

import falcon.testing
import pytest
from falcon.asgi import Request

from entrypoints.api.client_address import ClientAddress

LOOPBACK = (ip_network("127.0.0.0/8"), ip_network("::1/128"))


def request(peer: str | None, *forwarded: str) -> Request:
    scope = falcon.testing.create_scope()
    scope["headers"] = [(b"x-forwarded-for", value.encode("latin-1")) for value in forwarded]
    scope["client"] = None if peer is None else (peer, 5)
    return Request(scope, receive=None)  # type: ignore[arg-type]


def found(
    peer: str | None,
    *forwarded: str,
    trusted: tuple[str, ...] = ("127.0.0.0/8", "::1/128", "10.0.0.0/8"),
) -> str:
    networks = tuple(ip_network(network) for network in trusted)
    return ClientAddress(networks)(request(peer, *forwarded))


@pytest.mark.parametrize(
    ("peer", "expected"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("127.0.0.1", "127.0.0.1"),
        (None, "local"),
    ],
)
def test_without_a_proxy_it_is_the_peers(peer: str | None, expected: str) -> None:
    assert found(peer) == expected


@pytest.mark.parametrize("peer", ["203.0.113.9", "192.168.1.1", "::2"])
def test_only_trusted_proxies_are_believed(peer: str) -> None:
    assert found(peer, "198.51.100.1") == found(peer)


@pytest.mark.parametrize(
    ("forwarded", "expected"),
    [
        (["198.51.100.1"], "198.51.100.1"),
        (["1.1.1.1, 198.51.100.1"], "198.51.100.1"),
        (["1.1.1.1, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
        (["1.1.1.1", "198.51.100.1", "10.0.0.2,10.0.0.1"], "198.51.100.1"),
        (["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        (["198.51.100.1:4711"], "198.51.100.1"),
        (["2001:db8:1:2::5"], "2001:db8:1:2::/64"),
        (["[2001:db8:1:2::5]:4711"], "2001:db8:1:2::/64"),
        (["[2001:db8:1:2::5]"], "2001:db8:1:2::/64"),
        (["::ffff:198.51.100.1"], "198.51.100.1"),
        # what nobody can have written: the last that is believed counts
        ([""], "127.0.0.1"),
        (["unknown"], "127.0.0.1"),
        (["198.51.100.1, _hidden"], "127.0.0.1"),
        (["198.51.100.1, garbage, 10.0.0.2"], "10.0.0.2"),
        (["198.51.100.1,"], "127.0.0.1"),
        (["256.1.1.1", "1.1.1.1.1", "0x7f.1"], "127.0.0.1"),
        (["[", "]", "[]", ":", "::::", "%", "\x00", "ü", "9" * 8_000], "127.0.0.1"),
        ([",".join(["10.0.0.2"] * 2_000)], "10.0.0.2"),
    ],
)
def test_behind_proxies_it_is_the_nearest_that_is_none(forwarded: list[str], expected: str) -> None:
    assert found("127.0.0.1", *forwarded) == expected


def test_a_unix_socket_is_a_proxys() -> None:
    assert found(None, "1.1.1.1, 198.51.100.1", trusted=()) == "198.51.100.1"


def test_a_proxy_that_is_not_trusted_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    address = ClientAddress(LOOPBACK)
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            assert address(request("172.18.0.2", "198.51.100.1")) == "172.18.0.2"
    assert caplog.text.count("HTTP__TRUSTED_PROXIES") == 1
    assert "172.18.0.2" in caplog.text
