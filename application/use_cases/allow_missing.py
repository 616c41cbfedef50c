"""Let the next crawl of a folder take most of its library for missing, or all of it."""

from dataclasses import dataclass
from uuid import UUID

from application.payloads import CrawlPayload, crawl_key
from application.ports.missing_allowances import MissingAllowances
from application.ports.transactions import Transactions
from application.use_cases.enqueue_work import EnqueueWork, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowMissing:
    """The allowance and the crawl that will find it come to be together, or neither does."""

    transactions: Transactions
    allowances: MissingAllowances
    enqueue: EnqueueWork

    def __call__(self, storage_config_id: UUID, *, requested_by: UUID) -> UUID:
        """The work item that will use it; asked again, the allowance is renewed.

        NotFound; ConfigInactive.
        """
        request = Request(
            payload=CrawlPayload(storage_config_id=storage_config_id),
            scope=storage_config_id,
            dedup_key=crawl_key(storage_config_id),
            requested_by=requested_by,
        )
        with self.transactions.begin() as transaction:
            self.allowances.hold_crawlable(transaction, storage_config_id)
            [enqueued] = self.enqueue.within(transaction, [request])
            # Last: while a crawl waits to use an older one up, nothing is left to wait for here.
            self.allowances.renew(transaction, storage_config_id)
        return enqueued.id
