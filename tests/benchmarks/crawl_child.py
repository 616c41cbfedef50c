"""A process that is wired and started as the Worker's runner, and crawls what it is told to.

It reads one request a line and answers each with one line, both JSON.
"""

import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from application.ports.work_context import WorkContext
from domain.work.attempt import AttemptTag
from entrypoints.common.settings import Settings
from entrypoints.worker.runner_container import RunnerContainer
from tests.benchmarks.bare_loop import BareLoop
from tests.fakes.crawl_context import Token
from tests.fakes.work_context import InMemoryProgress
from tests.peak_memory import forget_peak, peak_bytes


@dataclass
class Opens:
    """Counts files that are opened below the root, by whatever code of this process."""

    root: str
    count: int = 0

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and isinstance(arguments[0], bytes | str):
            path = arguments[0]
            name = path.decode(errors="replace") if isinstance(path, bytes) else path
            self.count += name.startswith(self.root)


def main() -> None:
    container = RunnerContainer(settings=Settings())
    container.crawling.limit_decoders()
    opens = Opens(str(Settings().worker.root) + "/")
    sys.addaudithook(opens)
    for line in sys.stdin:
        request = json.loads(line)
        opens.count = 0
        forget_peak()
        began_at = time.perf_counter()
        result = answer(container, request)
        seconds = time.perf_counter() - began_at
        told = {"seconds": seconds, "opens": opens.count, "peak": peak_bytes(), "result": result}
        print(json.dumps(told), flush=True)


def answer(container: RunnerContainer, request: Any) -> Any:
    if "crawl" in request:
        tag = AttemptTag(item_id=UUID(request["item"]), attempt=1)
        context = WorkContext(tag=tag, progress=InMemoryProgress(), cancellation=Token())
        return container.crawling.crawl_library()(UUID(request["crawl"]), context)
    loop = BareLoop(container.crawling.develop_asset(), Path(request["proxies"]))
    files = sorted(path for path in Path(request["bare"]).rglob("*") if path.is_file())
    with ThreadPoolExecutor(Settings().worker.max_concurrent_files) as pool:
        return sum(pool.map(loop, files))


if __name__ == "__main__":
    main()
