"""The admin's page: files of the package, and what browsers may do with them."""

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import Final, TypeAlias

import falcon
import falcon.asgi

PACKAGE: Final = "entrypoints.api.admin_page"
INDEX: Final = "index.html"
MEDIA_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
# Only what this origin serves is run, shown or asked, and no text ever becomes markup.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent; the tag changes with its bytes."""

    content: bytes
    media_type: str
    tag: str


Assets: TypeAlias = dict[str, Asset]


def packaged_assets() -> Assets:
    """Every file of the page, by its name."""
    return {
        entry.name: _asset(entry.name, entry.read_bytes())
        for entry in files(PACKAGE).iterdir()
        if _suffix(entry.name) in MEDIA_TYPES
    }


class AdminPageResource:
    """Serves the files from memory; a browser that has one asks whether it still holds."""

    def __init__(self) -> None:
        self._assets = packaged_assets()

    async def on_get(
        self, req: falcon.asgi.Request, resp: falcon.asgi.Response, name: str = INDEX
    ) -> None:
        asset = self._assets.get(name)
        if asset is None:
            raise falcon.HTTPNotFound(description="the admin's page has no such file")
        resp.set_header("Content-Security-Policy", POLICY)
        resp.set_header("Cache-Control", "no-cache")
        resp.set_header("ETag", asset.tag)
        if req.get_header("If-None-Match") == asset.tag:
            resp.status = falcon.HTTP_NOT_MODIFIED
            return
        resp.content_type = asset.media_type
        resp.data = asset.content


class ToAdminPage:
    """Leads addresses that people type to the page."""

    async def on_get(self, req: falcon.asgi.Request, resp: falcon.asgi.Response) -> None:  # noqa: ARG002
        raise falcon.HTTPFound("/admin/")


def _suffix(name: str) -> str:
    return "." + name.rpartition(".")[2]


def _asset(name: str, content: bytes) -> Asset:
    tag = hashlib.sha256(content).hexdigest()[:32]
    return Asset(content, MEDIA_TYPES[_suffix(name)], f'"{tag}"')
