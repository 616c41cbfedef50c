"""Soft deletes, restorations and successions, in short batches that shut recovery out."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, TextClause
from typing_extensions import override

from adapters.postgres import library_reconciliation_sql as sql
from adapters.postgres import live_photo_sql
from adapters.postgres.claim_proof import ProofLock
from adapters.postgres.crawl_connection import CrawlConnection
from application.ports.library_reconciliation import Departures, LibraryReconciliation


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresLibraryReconciliation(LibraryReconciliation):
    """Each batch finds its rows and changes them in one transaction."""

    crawl: CrawlConnection

    @override
    def forget_gone(self, limit: int) -> int:
        with self.crawl.proven(ProofLock.STOPS_ALL_UPDATES) as connection:
            return connection.execute(sql.FORGET_GONE, {"limit": limit}).rowcount

    @override
    def promote_duplicates(self, limit: int) -> int:
        with self.crawl.proven(ProofLock.STOPS_ALL_UPDATES) as connection:
            found = connection.execute(sql.FIND_HEIRS, self._page(limit)).all()
            if found:
                self._note_change(connection)
                assets = [row.asset_id for row in found]
                connection.execute(sql.DROP_FORMER_HOLDERS, {"assets": assets})
                connection.execute(sql.PROMOTE, {"heirs": [row.heir for row in found]})
        return len(found)

    @override
    def restore(self, limit: int) -> int:
        return self._change(limit, sql.FIND_RETURNED, sql.REVIVE, sql.FILES_ARE_BACK)

    @override
    def departures(self) -> Departures:
        with self.crawl.transaction() as connection:
            row = connection.execute(sql.DEPARTURES, {"config": self.crawl.storage_config_id}).one()
        return Departures(going=row.going, living=row.living)

    @override
    def mark_missing(self, limit: int, allowed_at: datetime | None) -> int:
        with self.crawl.proven(ProofLock.STOPS_ALL_UPDATES) as connection:
            # One more than the batch takes: so it knows whether it leaves any.
            found = _ids(connection, sql.FIND_DEPARTED, self._page(limit + 1))
            if going := found[:limit]:
                self._note_change(connection)
                connection.execute(sql.MARK_MISSING, {"assets": going})
                connection.execute(sql.FILES_ARE_GONE, {"assets": going})
            if len(found) <= limit and allowed_at is not None:
                used = {"config": self.crawl.storage_config_id, "allowed_at": allowed_at}
                connection.execute(sql.USE_ALLOWANCE_UP, used)
        return len(going)

    @override
    def pair_live_photos(self, *, is_last: bool) -> int:
        config = {"config": self.crawl.storage_config_id}
        with self.crawl.proven() as connection:
            if connection.execute(live_photo_sql.IS_PAIRING_DUE, config).scalar_one():
                self._pair(connection)
                if is_last:
                    connection.execute(live_photo_sql.PAIRING_IS_DONE, config)
            return int(connection.execute(live_photo_sql.COUNT_LIVE, config).scalar_one())

    def _pair(self, connection: Connection) -> None:
        parameters = {
            "config": self.crawl.storage_config_id,
            "most_sharing": live_photo_sql.MOST_SHARING,
        }
        for statement in (
            live_photo_sql.WANTED,
            live_photo_sql.UNPAIR,
            live_photo_sql.PAIR,
            live_photo_sql.STILLS_ARE_PICTURES,
            live_photo_sql.STILLS_ARE_LIVE,
        ):
            connection.execute(statement, parameters)

    def _change(self, limit: int, find: TextClause, *changes: TextClause) -> int:
        with self.crawl.proven(ProofLock.STOPS_ALL_UPDATES) as connection:
            assets = _ids(connection, find, self._page(limit))
            if assets:
                self._note_change(connection)
                for change in changes:
                    connection.execute(change, {"assets": assets})
        return len(assets)

    def _note_change(self, connection: Connection) -> None:
        config = {"config": self.crawl.storage_config_id}
        connection.execute(live_photo_sql.PAIRING_IS_DUE, config)

    def _page(self, limit: int) -> dict[str, object]:
        return {"config": self.crawl.storage_config_id, "limit": limit}


def _ids(connection: Connection, find: TextClause, page: dict[str, object]) -> list[object]:
    return list(connection.execute(find, page).scalars())
