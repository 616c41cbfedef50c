"""A real Worker of which one loop sticks: STUCK says which."""

import os
import sys
import time
from typing import Any, NoReturn

from dependency_injector import providers

from entrypoints.common.settings import Settings
from entrypoints.worker.keeper_container import KeeperContainer
from entrypoints.worker.main import run_worker


def stick(*_given: object, **_named: object) -> NoReturn:
    while True:
        time.sleep(1)


class StuckBeat:
    beat = staticmethod(stick)


SUBSTITUTES: dict[str, tuple[providers.Provider[Any], object]] = {
    "main": (KeeperContainer.claim_work, stick),
    "recovery": (KeeperContainer.recover_stalled, stick),
    "heartbeat": (KeeperContainer.keep_lease, StuckBeat),
}

if __name__ == "__main__":
    provider, substitute = SUBSTITUTES[os.environ["STUCK"]]
    provider.override(providers.Object(substitute))
    sys.exit(run_worker(Settings(), [sys.executable, "-m", "tests.process.runner"]))
