"""What comes in over HTTP and what goes out, in camelCase."""

import re
from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel
from pydantic.json_schema import SkipJsonSchema

from application.ports.page import Page, PageRequest
from application.use_cases.sign_token_pair import TokenPair
from domain.identity.user import EMAIL_LIMIT, PASSWORD_LIMIT, PASSWORD_MINIMUM, User
from domain.library.storage_config import StorageConfig

PAGE_LIMIT = 1_000_000_000


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("must not contain the NUL character")
    return text


def _only_digits(text: object) -> object:
    """Python also reads `1_0`, `+1` and `1.0` as numbers; a parameter is digits."""
    if isinstance(text, str) and not re.fullmatch("[0-9]+", text):
        raise ValueError("must be a whole number")
    return text


Digits = BeforeValidator(_only_digits)
Storable = AfterValidator(_without_nul)
Text = Annotated[str, Storable]
Password = Annotated[str, Field(min_length=PASSWORD_MINIMUM, max_length=PASSWORD_LIMIT), Storable]


class Request(BaseModel):
    """A body: types are exact, and what is not known is refused."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="forbid",
        frozen=True,
        strict=True,
        hide_input_in_errors=True,
    )

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_null(cls, given: object) -> object:
        if given is None:
            raise ValueError("must not be null; leave it out instead")
        return given


class Query(BaseModel):
    """Query parameters: texts, hence not exact; what is not known is refused."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid", frozen=True)


class Response(BaseModel):
    """An answer."""

    model_config = ConfigDict(
        alias_generator=to_camel, validate_by_name=True, extra="forbid", frozen=True
    )


class LogInRequest(Request):
    """Log in with a name or an e-mail address."""

    username: Annotated[str, Field(min_length=1, max_length=EMAIL_LIMIT), Storable]
    password: Annotated[str, Field(min_length=1, max_length=PASSWORD_LIMIT), Storable]


class RefreshTokenRequest(Request):
    """A refresh token to exchange or to give up."""

    refresh_token: Annotated[str, Field(min_length=1, max_length=200)]


class AddUserRequest(Request):
    """A user to add."""

    name: Text
    email: Text
    password: Password
    is_admin: bool = False


class ChangeUserRequest(Request):
    """What to change; what is left out stays."""

    name: Text | SkipJsonSchema[None] = None
    email: Text | SkipJsonSchema[None] = None
    password: Password | SkipJsonSchema[None] = None
    is_admin: bool | SkipJsonSchema[None] = None
    is_disabled: bool | SkipJsonSchema[None] = None


class AddStorageConfigRequest(Request):
    """A folder to register; `timeZone` is the host's unless given."""

    user_id: UUID
    root_path: Text
    time_zone: Text | SkipJsonSchema[None] = None


class ChangeStorageConfigRequest(Request):
    """What to change; what is left out stays."""

    time_zone: Text | SkipJsonSchema[None] = None
    is_active: bool | SkipJsonSchema[None] = None


class PageQuery(Query):
    """Which page of a list."""

    page: Annotated[int, Digits] = Field(1, ge=1, le=PAGE_LIMIT)
    page_size: Annotated[int, Digits] = Field(50, ge=1, le=200)

    def request(self) -> PageRequest:
        return PageRequest(number=self.page, size=self.page_size)


class CursorQuery(Query):
    """How much of a list, and from where; `cursor` is the `nextCursor` of the page before."""

    limit: Annotated[int, Digits] = Field(50, ge=1, le=200)
    cursor: str | SkipJsonSchema[None] = None


class NoQuery(Query):
    """The route takes no parameters."""


class TokenView(Response):
    """What a log-in or a refresh answers."""

    access_token: str
    token_type: str = "Bearer"  # noqa: S105  # the scheme's name
    expires_at: datetime
    refresh_token: str

    @classmethod
    def of(cls, pair: TokenPair) -> Self:
        return cls(
            access_token=pair.access_token,
            expires_at=pair.expires_at,
            refresh_token=pair.refresh_token,
        )


class UserView(Response):
    """A user as an admin sees it."""

    id: UUID
    name: str
    email: str
    is_admin: bool
    is_disabled: bool
    created_at: datetime

    @classmethod
    def of(cls, user: User) -> Self:
        return cls(
            id=user.id,
            name=user.name,
            email=user.email,
            is_admin=user.is_admin,
            is_disabled=user.is_disabled,
            created_at=user.created_at,
        )


class UserPageView(Response):
    """One page of the users."""

    items: list[UserView]
    page: int
    page_size: int
    total: int

    @classmethod
    def of(cls, page: Page[User], query: PageQuery) -> Self:
        return cls(
            items=[UserView.of(user) for user in page.items],
            page=query.page,
            page_size=query.page_size,
            total=page.total,
        )


class StorageConfigView(Response):
    """A registered folder."""

    id: UUID
    user_id: UUID
    root_path: str
    time_zone: str
    is_active: bool
    created_at: datetime

    @classmethod
    def of(cls, config: StorageConfig) -> Self:
        return cls(
            id=config.id,
            user_id=config.user_id,
            root_path=config.root_path,
            time_zone=config.time_zone,
            is_active=config.is_active,
            created_at=config.created_at,
        )


class StorageConfigPageView(Response):
    """One page of the storage configs."""

    items: list[StorageConfigView]
    page: int
    page_size: int
    total: int

    @classmethod
    def of(cls, page: Page[StorageConfig], query: PageQuery) -> Self:
        return cls(
            items=[StorageConfigView.of(config) for config in page.items],
            page=query.page,
            page_size=query.page_size,
            total=page.total,
        )


class HealthView(Response):
    """That the host is alive, or ready."""

    status: str


class DocumentView(BaseModel):
    """The OpenAPI document; only its outline is described."""

    model_config = ConfigDict(extra="allow")

    openapi: str
