"""A runner with the kinds of these tests instead of the product's."""

import sys

from dependency_injector import providers

from entrypoints.worker.runner import main
from entrypoints.worker.runner_container import RunnerContainer
from tests.process.kinds import registry


class ScriptContainer(RunnerContainer):
    pass


ScriptContainer.registry.override(providers.ThreadSafeSingleton(registry))

if __name__ == "__main__":
    main(sys.argv[1:], ScriptContainer)
