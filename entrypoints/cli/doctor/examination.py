"""The whole examination, in the order in which one thing needs another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from application.ports.installation_signs import InstallationSigns
from application.ports.page import PageRequest
from application.ports.served_scopes import ServedScopes
from application.use_cases.manage_storage_configs import ListStorageConfigs
from application.use_cases.read_workers import ReadWorkers
from domain.errors import DatabaseUnavailable
from domain.library.storage_config import StorageConfig
from entrypoints.cli.doctor import database_checks, mount_checks, worker_check
from entrypoints.cli.doctor.finding import Check, Finding, State, unknown

PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """`root`, `proxies` and `poll` are a Worker's, as this machine's settings have them."""

    check_readiness: Callable[[], None]
    signs: InstallationSigns
    read_workers: ReadWorkers
    served_scopes: ServedScopes
    list_storage_configs: ListStorageConfigs
    root: Path
    proxies: Path
    poll: timedelta

    def __call__(self, skipped: Sequence[Check] = ()) -> list[Finding]:
        """Every finding but the skipped, in the order of Check."""
        wanted = [check for check in Check if check not in skipped]
        found = {each.check: each for each in self._database()}
        can_ask = all(each.state is State.OK for each in found.values())
        for check in wanted:
            if check not in found:
                found[check] = self._look(check, can_ask=can_ask)
        return [found[check] for check in wanted]

    def _database(self) -> list[Finding]:
        return database_checks.database_and_schema(self.check_readiness)

    def _look(self, check: Check, *, can_ask: bool) -> Finding:
        if check == Check.ORIGINALS:
            return mount_checks.originals(self.root)
        if check == Check.PROXIES:
            return mount_checks.proxies(self.proxies)
        if not can_ask:
            return unknown(check)
        try:
            return self._ask(check)
        except DatabaseUnavailable:
            return unknown(check)

    def _ask(self, check: Check) -> Finding:
        if check == Check.CLOCK:
            return database_checks.clock(self.signs)
        if check == Check.WORKER:
            return self._worker()
        return mount_checks.folders(self.root, [each.root_path for each in self._active()])

    def _worker(self) -> Finding:
        silence = worker_check.longest_silence(self.poll)
        lapsed = self.signs.lapsed_leases()
        return worker_check.worker(self.read_workers(), silence, self._active(), lapsed)

    def _active(self) -> list[StorageConfig]:
        """The folders that Workers crawl: neither they nor their owners are switched off."""
        active = set(self.served_scopes.active(None))
        found: list[StorageConfig] = []
        number = 1
        while page := self.list_storage_configs(PageRequest(number=number, size=PAGE)).items:
            found += [config for config in page if config.id in active]
            number += 1
        return found
