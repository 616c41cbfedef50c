"""gunicorn's own lines, in the one form that all our lines have."""

from typing import Any

from gunicorn.glogging import Logger
from typing_extensions import override

from entrypoints.common.logging import configure_logging
from entrypoints.common.settings import Settings


class ServerLog(Logger):  # type: ignore[misc]  # gunicorn ships no types
    """Hands gunicorn's records to the root logger's handler."""

    @override
    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        configure_logging(Settings(), host="api")
        for logger in (self.error_log, self.access_log):
            logger.handlers.clear()
        self.error_log.propagate = True
