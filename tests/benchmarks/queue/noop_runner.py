"""A Worker's runner whose one kind does nothing."""

import sys
from typing import Literal

from dependency_injector import providers

from application.execution.handlers import HandlerRegistry
from application.payloads import Payload
from application.ports.work_context import Result, WorkContext
from entrypoints.worker.runner import main
from entrypoints.worker.runner_container import RunnerContainer


class NoOpPayload(Payload):
    kind: Literal["NoOp"] = "NoOp"


def do_nothing(payload: NoOpPayload, context: WorkContext) -> Result:  # noqa: ARG001
    return {}


class NoOpContainer(RunnerContainer):
    pass


NoOpContainer.registry.override(
    providers.ThreadSafeSingleton(
        HandlerRegistry, ["NoOp"], [("NoOp", NoOpPayload)], [("NoOp", do_nothing)]
    )
)

if __name__ == "__main__":
    main(sys.argv[1:], NoOpContainer)
