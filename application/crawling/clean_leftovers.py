"""Removes what a run that died left among the proxies."""

from dataclasses import dataclass

from application.ports.asset_ledger import AssetLedger
from application.ports.proxy_store import ProxyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanLeftovers:
    """No half file and no orphan outlives the next crawl."""

    proxies: ProxyStore

    def __call__(self, ledger: AssetLedger) -> None:
        for leftover in ledger.leftovers():
            if leftover.is_asset:
                self.proxies.tidy(leftover.asset_id)
            else:
                self.proxies.discard(leftover.asset_id)
