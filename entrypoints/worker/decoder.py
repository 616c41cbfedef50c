"""The main of a process that decodes what may kill it, for a runner.

Started by the runner as `python -m entrypoints.worker.decoder SOCKET PID`.
"""

import sys
from collections.abc import Sequence

from entrypoints.common.logging import configure_logging
from entrypoints.common.settings import Settings
from entrypoints.worker.crawl_container import CrawlContainer


def main(arguments: Sequence[str], container_class: type[CrawlContainer]) -> None:
    """Serve the runner until it goes."""
    settings = Settings()
    configure_logging(settings, host="decoder")
    container = container_class(settings=settings.worker, engine=None)
    container.limit_decoders()
    container.serve_runner(arguments)


if __name__ == "__main__":
    main(sys.argv[1:], CrawlContainer)
