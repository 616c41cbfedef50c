"""The payload of each kind. The union is the registry: one class and one member a kind."""

from typing import Annotated, Literal, TypeAlias, get_args
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field

from domain.work.kind import WorkKind


class Payload(BaseModel):
    """Typed arguments of one kind; strict in what it takes, stored as JSON of at most 64 KiB."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=None)


class TokenCleanupPayload(Payload):
    kind: Literal[WorkKind.TOKEN_CLEANUP] = WorkKind.TOKEN_CLEANUP


class WorkItemRetentionPayload(Payload):
    kind: Literal[WorkKind.WORK_ITEM_RETENTION] = WorkKind.WORK_ITEM_RETENTION


class CrawlPayload(Payload):
    kind: Literal[WorkKind.CRAWL] = WorkKind.CRAWL
    storage_config_id: UUID


AnyPayload: TypeAlias = Annotated[
    TokenCleanupPayload | WorkItemRetentionPayload | CrawlPayload,
    Field(discriminator="kind"),
]


def payload_classes() -> list[tuple[str, type[Payload]]]:
    """Each member of the union with the kind that it declares, duplicates included."""
    union, _discriminator = get_args(AnyPayload)
    return [(kind_of(member), member) for member in get_args(union)]


def kind_of(payload: type[Payload] | Payload) -> str:
    """The kind that a payload class declares."""
    owner = payload if isinstance(payload, type) else type(payload)
    return str(owner.model_fields["kind"].default)
