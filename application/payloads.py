"""The payload of each kind. The union is the registry: one class and one member a kind."""

from typing import Annotated, Literal, TypeAlias, get_args
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from domain.errors import InvalidInput
from domain.work.kind import WorkKind

UNSTORABLE = "must not contain NUL or lone surrogates"


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


def crawl_key(storage_config_id: UUID) -> str:
    """The dedup key of a config's crawls, whoever asks for them."""
    return f"crawl:{storage_config_id}"


AnyPayload: TypeAlias = Annotated[
    TokenCleanupPayload | WorkItemRetentionPayload | CrawlPayload,
    Field(discriminator="kind"),
]


def payload_classes() -> list[tuple[str, type[Payload]]]:
    """Each member of the union with the kind that it declares, duplicates included."""
    union, _discriminator = get_args(AnyPayload)
    return [(kind_of(member), member) for member in get_args(union)]


def kind_of(payload_class: type[Payload]) -> str:
    """The kind that a payload class declares."""
    return str(payload_class.model_fields["kind"].default)


def validated_json(payload: Payload) -> dict[str, object]:
    """The payload as JSON, held to its class once more; InvalidInput names the first fault."""
    try:
        checked = type(payload).model_validate(payload.model_dump(warnings=False))
        return checked.model_dump(mode="json")
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(str(part) for part in fault["loc"])
        raise InvalidInput("payload", f"{where}: {fault['msg']}") from error
