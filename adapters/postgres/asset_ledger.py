"""The ledger: what became of each file, one transaction a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Connection
from typing_extensions import override

from adapters.postgres import asset_ledger_sql as sql
from adapters.postgres import source_file_sql
from adapters.postgres.asset_rows import asset_row, metadata_row, proxy_rows
from adapters.postgres.claim_proof import ProofLock, prove_claim
from adapters.postgres.crawl_connection import WAIT_FOR_THE_DISK, CrawlConnection
from application.ports.asset_ledger import AssetLedger, Leftover
from application.ports.crawl_listing import ListedChange
from domain.library.asset import DevelopedAsset
from domain.library.file_names import display_text
from domain.library.media_type import MediaType
from domain.library.resolution import Action, KnownContent, KnownPath, Resolution, resolve
from domain.library.signature import Content
from domain.library.verdict import FailReason, SkipReason
from domain.work.limits import storable


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresAssetLedger(AssetLedger):
    """Reads the facts under row locks, lets the domain decide, and carries the decision out."""

    crawl: CrawlConnection

    @override
    def leftovers(self) -> Sequence[Leftover]:
        with self.crawl.proven() as connection:
            connection.execute(sql.COUNT_DEATHS, self.crawl.scope)
            rows = connection.execute(sql.LEFTOVERS, {"config": self.crawl.storage_config_id}).all()
        return [Leftover(asset_id=row.asset_id, is_asset=row.is_asset) for row in rows]

    @override
    def resolve(self, change: ListedChange, content: Content, new_id: UUID) -> Resolution:
        where = self._file(change)
        with self.crawl.proven() as connection:
            deaths = connection.execute(sql.DEATHS, where).scalar()
            resolution = resolve(
                content,
                _known_path(connection, where),
                _known_content(connection, where, content),
                deaths=deaths or 0,
                new_id=new_id,
            )
            self._carry_out(connection, resolution, where, content)
        return resolution

    @override
    def record(
        self, change: ListedChange, asset: DevelopedAsset, publish: Callable[[], None]
    ) -> bool:
        where = self._file(change)
        with self.crawl.proven() as connection:
            was_missing = connection.execute(sql.WAS_MISSING, {"asset_id": asset.asset_id}).scalar()
            config = {"config": self.crawl.storage_config_id}
            connection.execute(sql.SAVE_ASSET, asset_row(asset) | config)
            connection.execute(sql.SAVE_METADATA, metadata_row(asset) | config)
            connection.execute(sql.SAVE_PROXY, proxy_rows(asset))
            held = _held("asset", asset.content, asset.asset_id, asset.media_type)
            connection.execute(source_file_sql.HOLD, where | held)
            connection.execute(sql.LAND, where)
            # What follows cannot be rolled back: nobody may take the claim over before the commit.
            prove_claim(connection, self.crawl.tag, ProofLock.STOPS_ALL_UPDATES)
            publish()
        return bool(was_missing)

    @override
    def call_off(self, change: ListedChange) -> None:
        with self.crawl.proven() as connection:
            connection.execute(sql.CALL_OFF, self._file(change))

    @override
    def skip(self, change: ListedChange, reason: SkipReason, content: Content) -> None:
        where = self._file(change)
        with self.crawl.proven() as connection:
            refused = _refused("skipped", reason, None, content)
            connection.execute(source_file_sql.REFUSE, where | refused)
            connection.execute(sql.LAND, where)

    @override
    def fail(
        self, change: ListedChange, reason: FailReason, message: str, content: Content
    ) -> None:
        where = self._file(change)
        with self.crawl.proven() as connection:
            refused = _refused("failed", reason, storable(message), content)
            connection.execute(source_file_sql.REFUSE, where | refused)
            connection.execute(sql.LAND, where)
            connection.execute(sql.REPORT_FAILURE, where | refused)

    @override
    def report_unreadable(self, change: ListedChange, message: str) -> None:
        told = {"reason": FailReason.UNREADABLE, "message": storable(message)}
        with self.crawl.proven() as connection:
            connection.execute(sql.REPORT_FAILURE, self._file(change) | told)

    def _file(self, change: ListedChange) -> dict[str, object]:
        return self.crawl.scope | {
            "path": change.path,
            "display_path": display_text(change.path),
            "size": change.signature.size,
            "mtime_ns": change.signature.mtime_ns,
        }

    def _carry_out(
        self,
        connection: Connection,
        resolution: Resolution,
        where: dict[str, object],
        content: Content,
    ) -> None:
        asset = {"asset_id": resolution.asset_id}
        match resolution.action:
            case Action.CREATE | Action.UPDATE:
                # The note must outlive even a broken machine: proxies are written next.
                connection.execute(WAIT_FOR_THE_DISK)
                connection.execute(sql.TAKE_OFF, where | asset)
                return
            case Action.GIVE_UP:
                return
            case Action.TOUCH:
                connection.execute(source_file_sql.TOUCH, where)
            case Action.DUPLICATE:
                _hold(connection, "duplicate", resolution, where, content)
            case Action.MOVE:
                connection.execute(source_file_sql.RELEASE_HOLDER, where | asset)
                _hold(connection, "asset", resolution, where, content)
        if resolution.is_restored:
            connection.execute(sql.REVIVE, asset)
        connection.execute(sql.LAND, where)


def _known_path(connection: Connection, where: dict[str, object]) -> KnownPath | None:
    row = connection.execute(sql.KNOWN_PATH, where).one_or_none()
    if row is None:
        return None
    return KnownPath(
        content=None if row.content_hash is None else Content(row.size, row.content_hash),
        asset_id=row.asset_id,
        is_holder=row.outcome == "asset",
        is_replaceable=row.is_replaceable,
    )


def _known_content(
    connection: Connection, where: dict[str, object], content: Content
) -> KnownContent | None:
    parameters = where | {"size": content.size, "xxh64": content.xxh64}
    row = connection.execute(sql.KNOWN_CONTENT, parameters).one_or_none()
    if row is None:
        return None
    return KnownContent(
        asset_id=row.id,
        media_type=MediaType(row.media_type),
        is_held_elsewhere=row.is_held_elsewhere,
        is_missing=row.is_missing,
    )


def _hold(
    connection: Connection,
    outcome: str,
    resolution: Resolution,
    where: dict[str, object],
    content: Content,
) -> None:
    held = _held(outcome, content, resolution.asset_id, resolution.media_type)
    connection.execute(source_file_sql.HOLD, where | held)


def _held(
    outcome: str, content: Content, asset_id: UUID, media_type: MediaType | None
) -> dict[str, object]:
    return {
        "outcome": outcome,
        "content_hash": content.xxh64,
        "asset_id": asset_id,
        "media_type": media_type,
    }


def _refused(outcome: str, reason: str, message: str | None, content: Content) -> dict[str, object]:
    return {
        "outcome": outcome,
        "reason": reason,
        "message": message,
        "content_hash": content.xxh64,
    }
