"""The reconciliation in memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from typing_extensions import override

from application.ports.library_reconciliation import Departures, LibraryReconciliation
from tests.fakes.library import Session
from tests.fakes.live_pairs import choose_pairs


@dataclass
class InMemoryLibraryReconciliation(LibraryReconciliation):
    session: Session

    @override
    def forget_gone(self, limit: int) -> int:
        assert 0 < limit <= 1_000
        library = self.session.prove()
        gone = [
            path
            for path in self.session.absent & set(library.files)
            if library.files[path].outcome != "asset"
        ][:limit]
        for path in gone:
            del library.files[path]
        return len(gone)

    @override
    def promote_duplicates(self, limit: int) -> int:
        assert 0 < limit <= 1_000
        library = self.session.prove()
        heirs: dict[UUID, bytes] = {}
        for path, row in library.files.items():
            if row.outcome != "duplicate" or row.asset_id is None or path in self.session.absent:
                continue
            if not self._is_held(row.asset_id):
                heirs.setdefault(row.asset_id, path)
        for asset_id, heir in list(heirs.items())[:limit]:
            library.is_pairing_due = True
            for path in self.session.paths_of(asset_id, "asset"):
                del library.files[path]
            library.files[heir].outcome = "asset"
        return len(list(heirs)[:limit])

    @override
    def restore(self, limit: int) -> int:
        assert 0 < limit <= 1_000
        library = self.session.prove()
        back = [key for key, row in library.assets.items() if row.is_missing and self._is_held(key)]
        return self._mark(back[:limit], is_missing=False)

    @override
    def departures(self) -> Departures:
        living = self.session.library.living()
        return Departures(going=sum(not self._is_held(each) for each in living), living=len(living))

    @override
    def mark_missing(self, limit: int, allowed_at: datetime | None) -> int:
        assert 0 < limit <= 1_000
        library = self.session.prove()
        going = [each for each in library.living() if not self._is_held(each)]
        if len(going) <= limit and library.missing_allowed_at == allowed_at:
            library.missing_allowed_at = None
        return self._mark(going[:limit], is_missing=True)

    @override
    def pair_live_photos(self, *, is_last: bool) -> int:
        library = self.session.prove()
        assert isinstance(is_last, bool)
        if library.is_pairing_due:
            library.pairings += 1
            self._pair()
            library.is_pairing_due = not is_last
        pairs = library.pairs()
        return sum(
            row.asset_id in pairs and path in self.session.listed
            for path, row in library.files.items()
            if row.outcome in ("asset", "duplicate")
        )

    def _pair(self) -> None:
        library = self.session.library
        pairs = choose_pairs(library)
        for asset in library.assets.values():
            asset.still = None
        for still, video in pairs.items():
            library.assets[video].still = still

    def _mark(self, assets: Sequence[UUID], *, is_missing: bool) -> int:
        for asset_id in assets:
            self.session.library.is_pairing_due = True
            self.session.library.assets[asset_id].is_missing = is_missing
            for path in self.session.paths_of(asset_id, "asset"):
                self.session.library.files[path].is_missing = is_missing
        return len(assets)

    def _is_held(self, asset_id: UUID) -> bool:
        holders = self.session.paths_of(asset_id, "asset")
        return any(path not in self.session.absent for path in holders)
