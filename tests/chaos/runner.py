"""The product's runner with the kinds of the chaos tests."""

import sys

from dependency_injector import providers

from entrypoints.worker.runner import main
from entrypoints.worker.runner_container import RunnerContainer
from tests.chaos.faketime import sleep_under_faketime
from tests.chaos.kinds import registry


class ChaosContainer(RunnerContainer):
    pass


ChaosContainer.registry.override(
    providers.ThreadSafeSingleton(registry, engine=ChaosContainer.database.library_engine)
)

if __name__ == "__main__":
    sleep_under_faketime()
    main(sys.argv[1:], ChaosContainer)
