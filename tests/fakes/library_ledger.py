"""The ledger in memory, by the domain's own rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from typing_extensions import override

from application.ports.asset_ledger import AssetLedger, Leftover
from application.ports.crawl_listing import ListedChange
from domain.library.asset import DevelopedAsset
from domain.library.resolution import Action, KnownContent, KnownPath, Resolution, resolve
from domain.library.signature import Content
from domain.library.verdict import FailReason, SkipReason
from tests.fakes.library import AssetRow, FileRow, Flight, Session, refuse


@dataclass
class InMemoryAssetLedger(AssetLedger):
    session: Session

    @override
    def leftovers(self) -> Sequence[Leftover]:
        library = self.session.prove()
        for flight in library.flights.values():
            if flight.is_up and flight.tag != self.session.tag:
                flight.is_up = False
                flight.deaths += 1
        return [
            Leftover(asset_id=flight.asset_id, is_asset=flight.asset_id in library.assets)
            for flight in library.flights.values()
        ]

    @override
    def resolve(self, change: ListedChange, content: Content, new_id: UUID) -> Resolution:
        with self.session.library.lock:
            library = self.session.prove()
            flight = library.flights.get(change.path)
            deaths = flight.deaths if flight else 0
            resolution = resolve(
                content,
                self._known_path(change.path),
                self._known_content(change.path, content),
                deaths=deaths,
                new_id=new_id,
            )
            self._carry_out(change, content, resolution, deaths)
            return resolution

    @override
    def record(
        self, change: ListedChange, asset: DevelopedAsset, publish: Callable[[], None]
    ) -> bool:
        with self.session.library.lock:
            library = self.session.prove()
            publish()
            before = library.assets.get(asset.asset_id)
            library.assets[asset.asset_id] = AssetRow(asset)
            self._hold(change, asset.content, "asset", asset.asset_id)
            return before is not None and before.is_missing

    @override
    def call_off(self, change: ListedChange) -> None:
        with self.session.library.lock:
            flight = self.session.prove().flights.get(change.path)
            if flight is not None:
                flight.is_up = False

    @override
    def skip(self, change: ListedChange, reason: SkipReason, content: Content) -> None:
        with self.session.library.lock:
            library = self.session.prove()
            row = FileRow(change.signature, "skipped", content=content)
            refuse(library, change.path, row, reason)

    @override
    def fail(
        self, change: ListedChange, reason: FailReason, message: str, content: Content
    ) -> None:
        with self.session.library.lock:
            library = self.session.prove()
            row = FileRow(change.signature, "failed", message=message, content=content)
            refuse(library, change.path, row, reason)
            library.failures.append((self.session.tag.attempt, change.path, reason, message))

    @override
    def report_unreadable(self, change: ListedChange, message: str) -> None:
        library = self.session.prove()
        told = (self.session.tag.attempt, change.path, FailReason.UNREADABLE, message)
        library.failures.append(told)

    def _known_path(self, path: bytes) -> KnownPath | None:
        row = self.session.library.files.get(path)
        if row is None:
            return None
        return KnownPath(
            content=row.content,
            asset_id=row.asset_id,
            is_holder=row.outcome == "asset",
            is_replaceable=self._is_replaceable(path, row),
        )

    def _is_replaceable(self, path: bytes, row: FileRow) -> bool:
        if row.outcome == "duplicate" or row.asset_id is None:
            return False
        holders = [each for each in self.session.paths_of(row.asset_id, "asset") if each != path]
        copies = self.session.paths_of(row.asset_id, "duplicate")
        content = self.session.library.assets[row.asset_id].developed.content
        moved = [
            each
            for each, change in self.session.changes.items()
            if each != path and (change.file.size, change.xxh64) == (content.size, content.xxh64)
        ]
        return not holders and not moved and not any(map(self.session.is_there, copies))

    def _known_content(self, path: bytes, content: Content) -> KnownContent | None:
        for asset_id, asset in self.session.library.assets.items():
            if asset.developed.content == content:
                holders = self.session.paths_of(asset_id, "asset")
                return KnownContent(
                    asset_id=asset_id,
                    media_type=asset.developed.media_type,
                    is_held_elsewhere=any(
                        self.session.is_there(each) for each in holders if each != path
                    ),
                    is_missing=asset.is_missing,
                )
        return None

    def _carry_out(
        self, change: ListedChange, content: Content, resolution: Resolution, deaths: int
    ) -> None:
        library = self.session.library
        match resolution.action:
            case Action.CREATE | Action.UPDATE:
                library.flights[change.path] = Flight(
                    resolution.asset_id, self.session.tag, deaths=deaths
                )
                return
            case Action.GIVE_UP:
                return
            case Action.TOUCH:
                library.files[change.path].signature = change.signature
                library.files[change.path].is_missing = False
            case Action.DUPLICATE:
                self._hold(change, content, "duplicate", resolution.asset_id)
            case Action.MOVE:
                for path in self.session.paths_of(resolution.asset_id, "asset"):
                    del library.files[path]
                self._hold(change, content, "asset", resolution.asset_id)
        if resolution.is_restored:
            library.assets[resolution.asset_id].is_missing = False
        library.flights.pop(change.path, None)

    def _hold(self, change: ListedChange, content: Content, outcome: str, asset_id: UUID) -> None:
        row = FileRow(
            change.signature,
            outcome,
            content=content,
            media_type=self.session.library.assets[asset_id].developed.media_type,
            asset_id=asset_id,
        )
        self.session.library.files[change.path] = row
        self.session.library.flights.pop(change.path, None)
