"""The listing in tables of the crawl's own."""

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import cast

import psycopg
from sqlalchemy import Row, TextClause
from typing_extensions import override

from adapters.postgres import crawl_listing_sql as sql
from adapters.postgres import source_file_sql
from adapters.postgres.crawl_connection import CrawlConnection
from adapters.postgres.listing_rows import copy_rows
from application.ports.crawl_listing import Comparison, CrawlListing, ListedChange
from domain.library.file_names import display_text
from domain.library.media_type import MediaType
from domain.library.signature import ListedFile, Signature
from domain.library.verdict import Disposition, SkipReason, Verdict

ROWS_PER_BATCH = 1_000

DISPOSITIONS = {
    "asset": Disposition.UNCHANGED,
    "duplicate": Disposition.DUPLICATE,
    "skipped": Disposition.SKIPPED,
    "failed": Disposition.FAILED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresCrawlListing(CrawlListing):
    """COPY in, compare in SQL: neither side ever holds the whole folder in memory."""

    crawl: CrawlConnection
    _copier: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "copy"))
    _copying: list[Future[None]] = field(default_factory=list)

    @contextmanager
    def begun(self) -> Iterator[None]:
        """Make the tables; at the end, wait for what is on its way into them."""
        with self.crawl.transaction() as connection:
            connection.execute(sql.BEGIN)
        with self._copier:
            yield

    @override
    def add(self, files: Sequence[tuple[ListedFile, SkipReason | None]]) -> None:
        if not files:
            return
        rows = copy_rows(files)
        # The walk goes on while the server takes these in; one batch is on its way at most.
        self._wait()
        self._copying.append(self._copier.submit(self._copy, rows))

    @override
    def add_unreadable(self, entries: Sequence[bytes]) -> None:
        if entries:
            rows = [{"folder": entry + b"/"} for entry in entries]
            with self.crawl.transaction() as connection:
                connection.execute(sql.ADD_UNREADABLE, rows)

    @override
    def compare(self) -> Comparison:
        self._wait()
        with self.crawl.proven() as connection:
            for statement in (
                sql.FOR_LARGE_SETS,
                sql.FIND_DIFFERENCES,
                sql.NOTE_DIFFERENCES,
                sql.FIND_CHANGES,
                sql.FIND_GONE,
                sql.PREPARE_CHANGES,
                sql.MARK_HASHED_FIRST,
                sql.MARK_SUSPECTS,
                sql.FORGET_SUSPECTS,
                sql.REPEAT_FAILURES,
            ):
                connection.execute(statement, self.crawl.scope)
            unchanged = connection.execute(sql.COUNT_UNCHANGED, self.crawl.scope).all()
            rest = connection.execute(sql.COUNT_ELSE, self.crawl.scope).one()
        return Comparison(
            verdicts=[(_verdict(row), row.files) for row in unchanged],
            outside=rest.outside,
            living=rest.living,
        )

    @override
    def settle_skipped(self) -> Sequence[tuple[Verdict, int]]:
        counts: Counter[SkipReason] = Counter()
        after = 0
        while rows := self._page(sql.READ_SKIPPED, after, ROWS_PER_BATCH):
            with self.crawl.proven() as connection:
                connection.execute(
                    source_file_sql.SKIP_UNOPENED, [self._skipped(row) for row in rows]
                )
            counts.update(SkipReason(row.skipped) for row in rows)
            after = rows[-1].number
        return [
            (Verdict(disposition=Disposition.SKIPPED, reason=reason), number)
            for reason, number in counts.items()
        ]

    @override
    def to_fingerprint(self, after: int, limit: int) -> Sequence[ListedChange]:
        return [_change(row) for row in self._page(sql.READ_HASHED_FIRST, after, limit)]

    @override
    def note_hash(self, change: ListedChange, xxh64: str) -> None:
        with self.crawl.transaction() as connection:
            connection.execute(sql.NOTE_HASH, {"number": change.number, "xxh64": xxh64})

    @override
    def to_ingest(self, after: int, limit: int, *, suspects: bool) -> Sequence[ListedChange]:
        rows = self._page(sql.READ_TO_INGEST, after, limit, suspects=suspects)
        return [_change(row) for row in rows]

    def _copy(self, rows: bytes) -> None:
        with self.crawl.transaction() as connection:
            driver = cast("psycopg.Connection", connection.connection.dbapi_connection)
            with driver.cursor() as cursor, cursor.copy(sql.COPY) as copy:
                copy.write(rows)

    def _wait(self) -> None:
        while self._copying:
            self._copying.pop().result()

    def _page(
        self, statement: TextClause, after: int, limit: int, **more: object
    ) -> Sequence[Row[tuple[object, ...]]]:
        with self.crawl.transaction() as connection:
            parameters = {"after": after, "limit": limit, **more}
            return connection.execute(statement, parameters).all()

    def _skipped(self, row: Row[tuple[object, ...]]) -> dict[str, object]:
        return {
            "config": self.crawl.storage_config_id,
            "path": row.path,
            "display_path": display_text(row.path),
            "size": row.size,
            "mtime_ns": row.mtime_ns,
            "reason": row.skipped,
        }


def _verdict(row: Row[tuple[object, ...]]) -> Verdict:
    return Verdict(
        disposition=DISPOSITIONS[row.outcome],
        media_type=None if row.media_type is None else MediaType(row.media_type),
        reason=row.reason,
    )


def _change(row: Row[tuple[object, ...]]) -> ListedChange:
    return ListedChange(
        number=row.number,
        path=bytes(row.path),
        signature=Signature(row.size, row.mtime_ns),
        xxh64=row.xxh64,
        is_suspect=row.is_suspect,
    )
