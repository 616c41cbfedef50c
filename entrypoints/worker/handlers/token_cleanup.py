"""Deletes refresh tokens that expired."""

from dataclasses import dataclass

from application.payloads import TokenCleanupPayload
from application.ports.expired_token_purger import ExpiredTokenPurger
from application.ports.work_context import Result, WorkContext


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCleanupHandler:
    tokens: ExpiredTokenPurger
    batch_size: int

    def __call__(self, payload: TokenCleanupPayload, context: WorkContext) -> Result:  # noqa: ARG002
        deleted = 0
        while True:
            context.cancellation.raise_if_requested({"deleted": deleted})
            batch = self.tokens.purge(context.tag, most=self.batch_size)
            deleted += batch
            context.progress.report(done=deleted)
            if batch < self.batch_size:
                return {"deleted": deleted}
