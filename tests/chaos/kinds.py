"""Kinds whose every run leaves lines in the witness and rows in the database under fire."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from sqlalchemy import Engine, text

from adapters.postgres.claim_proof import prove_claim
from adapters.postgres.connections import one_transaction
from application.execution.handlers import Handler, HandlerRegistry
from application.payloads import Payload
from application.ports.work_context import Result, WorkContext
from domain.errors import DatabaseUnavailable
from tests.chaos.load import Act
from tests.chaos.witness import Witness

LOOK_EVERY_SECONDS = 0.05
ROW_EVERY_LOOKS = 6
_ROW = text(
    "INSERT INTO chaos_results (item, attempt, row) VALUES (:item, :attempt, :row)"
    " ON CONFLICT DO NOTHING"
)


class ShortPayload(Payload):
    kind: Literal["Short"] = "Short"
    act: Act
    seconds: float = 0


class LongPayload(Payload):
    kind: Literal["Long"] = "Long"
    act: Act
    seconds: float = 0


AnyChaosPayload = ShortPayload | LongPayload
PAYLOADS: Sequence[type[AnyChaosPayload]] = (ShortPayload, LongPayload)


@dataclass
class Rows:
    """Result rows of one run, each written under proof that the claim is still held."""

    engine: Engine
    context: WorkContext
    written: int = 0

    def write(self) -> None:
        """One more; tried until the database answers or the handler shall stop. ClaimLost."""
        while True:
            try:
                self._write()
            except DatabaseUnavailable:
                self.context.cancellation.raise_if_requested(self.result())
                time.sleep(LOOK_EVERY_SECONDS)
            else:
                self.written += 1
                return

    def result(self) -> Result:
        return {"attempt": self.context.tag.attempt, "rows": self.written}

    def _write(self) -> None:
        tag = self.context.tag
        with one_transaction(self.engine) as connection:
            prove_claim(connection, tag)
            connection.execute(
                _ROW, {"item": tag.item_id, "attempt": tag.attempt, "row": self.written}
            )


@dataclass
class ChaosHandler:
    engine: Engine
    witness: Witness = field(default_factory=Witness.of_environment)

    def __call__(self, payload: AnyChaosPayload, context: WorkContext) -> Result:
        self.witness.note("begin", context.tag)
        rows = Rows(self.engine, context)
        rows.write()
        self._act(payload, context, rows)
        self.witness.note("end", context.tag)
        return rows.result()

    def _act(self, payload: AnyChaosPayload, context: WorkContext, rows: Rows) -> None:
        match payload.act:
            case Act.RETURN:
                context.progress.report(1, note=f"attempt {context.tag.attempt}")
            case Act.WORK:
                _work(payload.seconds, context, rows)
            case Act.IGNORE:
                time.sleep(payload.seconds)
            case Act.RAISE:
                raise ValueError(f"attempt {context.tag.attempt} was to fail")
            case Act.DIE_ONCE if context.tag.attempt > 1:
                return
            case Act.DIE | Act.DIE_ONCE:
                self.witness.note("die", context.tag)
                os._exit(3)


def _work(seconds: float, context: WorkContext, rows: Rows) -> None:
    end = time.monotonic() + seconds
    looks = 0
    while time.monotonic() < end:
        looks += 1
        context.progress.report(looks, note=f"attempt {context.tag.attempt}")
        context.cancellation.raise_if_requested(rows.result())
        if looks % ROW_EVERY_LOOKS == 0:
            rows.write()
        time.sleep(LOOK_EVERY_SECONDS)
    rows.write()  # whoever thaws comes here at once, and with a claim that is lost


def registry(engine: Engine) -> HandlerRegistry:
    handler: Handler = ChaosHandler(engine)
    kinds = [str(payload.model_fields["kind"].default) for payload in PAYLOADS]
    return HandlerRegistry(
        kinds, zip(kinds, PAYLOADS, strict=True), [(kind, handler) for kind in kinds]
    )
