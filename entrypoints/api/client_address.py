"""Finds out from which address a request comes, behind proxies too."""

import ipaddress
import logging
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final, TypeAlias

import falcon.asgi

Address: TypeAlias = IPv4Address | IPv6Address
Networks: TypeAlias = tuple[IPv4Network | IPv6Network, ...]

LOCAL: Final = "local"
"""Who comes over a Unix socket and names nobody."""
SUBNET_BITS: Final = 64
"""Of an IPv6 address: what one household or one server has."""

log = logging.getLogger(__name__)


class ClientAddress:
    """Believes X-Forwarded-For as far as trusted proxies wrote it, and no further."""

    def __init__(self, trusted: Networks) -> None:
        self._trusted = trusted
        self._has_warned = False

    def __call__(self, req: falcon.asgi.Request) -> str:
        """What counts as one address: an IPv4 address, the /64 of an IPv6 one, or `local`."""
        forwarded = req.get_header("X-Forwarded-For") or ""  # of several, all, in their order
        client = req.scope.get("client")
        peer = parsed_address(client[0]) if client else None
        if forwarded and peer is not None and not is_in(peer, self._trusted):
            self._warn(peer)
        return network_of(client_of(peer, forwarded, self._trusted))

    def _warn(self, peer: Address) -> None:
        if not self._has_warned:
            self._has_warned = True
            log.warning(
                "X-Forwarded-For from %s is not believed: it is not in HTTP__TRUSTED_PROXIES."
                " If it is your proxy, all who come through it count as one address",
                peer,
            )


def client_of(peer: Address | None, forwarded: str, trusted: Networks) -> Address | None:
    """The nearest address that is no trusted proxy; None: a Unix socket, and nothing known.

    Each proxy appends where it was called from, so entries are believed from the right, until one
    that no trusted proxy can have written or that is no address.
    """
    nearest = peer
    if peer is not None and not is_in(peer, trusted):
        return peer
    for entry in reversed(forwarded.split(",")):
        hop = parsed_address(entry)
        if hop is None:
            return nearest
        nearest = hop
        if not is_in(hop, trusted):
            break
    return nearest


def network_of(address: Address | None) -> str:
    """What counts as one address, as text."""
    match address:
        case None:
            return LOCAL
        case IPv4Address():
            return str(address)
        case IPv6Address():
            return str(ipaddress.ip_network((int(address), SUBNET_BITS), strict=False))


def is_in(address: Address, networks: Networks) -> bool:
    return any(address in network for network in networks)


def parsed_address(text: str) -> Address | None:
    """The address, with or without brackets and a port; None where there is none."""
    bare = text.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        address = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address
