"""The runner's main: build the handlers, then run what the keeper sends.

Started by the keeper as `python -m entrypoints.worker.runner WORDS ORDERS PID`.
"""

import sys
from collections.abc import Sequence

from domain.errors import DomainError
from entrypoints.common.log_context import LogContext
from entrypoints.common.logging import configure_logging
from entrypoints.common.settings import Settings
from entrypoints.worker.logged_run import LoggedHandling
from entrypoints.worker.name import worker_name
from entrypoints.worker.runner_container import RunnerContainer


def main(arguments: Sequence[str], container_class: type[RunnerContainer]) -> None:
    """Serve the keeper until it goes; the container says which handlers there are."""
    settings = Settings()
    context = LogContext(worker=worker_name(settings))
    configure_logging(settings, host="runner", context=context)
    container = container_class(settings=settings)
    end = container.runner_end(arguments)
    container.crawling.limit_decoders()
    try:
        run_handler = container.run_handler()
    except DomainError as error:
        end.refuse(str(error))
        sys.exit(1)
    end.serve(run_handler.registry.kinds(), LoggedHandling(run=run_handler, context=context))


if __name__ == "__main__":
    main(sys.argv[1:], RunnerContainer)
