"""The product's runner with decoders that die of some files, here and in their own processes."""

import sys

from dependency_injector import providers

from entrypoints.worker.runner import main
from entrypoints.worker.runner_container import RunnerContainer
from tests.process.killer_decoder import mortal_decoders


class KillerContainer(RunnerContainer):
    pass


KillerContainer.crawling.decoders.override(providers.ThreadSafeSingleton(mortal_decoders))
KillerContainer.crawling.decoder_command.override(
    providers.Object([sys.executable, "-m", "tests.process.killer_decoder"])
)

if __name__ == "__main__":
    main(sys.argv[1:], KillerContainer)
