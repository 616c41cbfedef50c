"""Reads Server-Sent Events, as far as the API sends them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerEvent:
    """One event; without a name it only moves the cursor, as the opening of a stream does."""

    name: str
    data: str
    cursor: str | None


def events_of(lines: Iterable[bytes]) -> Iterator[ServerEvent | None]:
    """The events in their order, None for a keep-alive; what is unknown is left out.

    An event that the end of the stream cuts off is none.
    """
    fields: dict[str, str] = {}
    for line in lines:
        text = line.decode(errors="replace").rstrip("\r\n")
        if not text:
            yield _event(fields)
            fields = {}
            continue
        name, _, value = text.partition(":")
        value = value.removeprefix(" ")
        if name == "data" and "data" in fields:
            value = f"{fields['data']}\n{value}"
        if name:
            fields[name] = value


def _event(fields: Mapping[str, str]) -> ServerEvent | None:
    if "data" not in fields and "id" not in fields:
        return None  # comments alone, which are sent so that something is
    return ServerEvent(
        name=fields.get("event", ""), data=fields.get("data", ""), cursor=fields.get("id")
    )
