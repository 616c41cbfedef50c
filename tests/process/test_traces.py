"""A real Worker's spans, as a collector gets them; and none where none are wanted."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from domain.work.status import WorkStatus
from tests.process.hosts import ROOT, Scene, eventually

pytestmark = [pytest.mark.postgres, pytest.mark.process, pytest.mark.once]


class Collector:
    def __init__(self) -> None:
        self.spans: list[dict[str, Any]] = []
        self.services: set[str] = set()
        taken = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                assert self.headers["Content-Type"] == "application/json"
                taken.take(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server.server_port}/v1/traces"

    def take(self, document: dict[str, Any]) -> None:
        for resource in document["resourceSpans"]:
            about = attributes(resource["resource"])
            self.services.add(about["service.name"]["stringValue"])
            for scope in resource["scopeSpans"]:
                self.spans += scope["spans"]

    def named(self, name: str, **wanted: str) -> list[dict[str, Any]]:
        return [
            span
            for span in list(self.spans)
            if span["name"] == name
            and all(
                attributes(span).get(f"work.{key}", {}).get("stringValue") == value
                for key, value in wanted.items()
            )
        ]


def attributes(of: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {each["key"]: each["value"] for each in of["attributes"]}


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    yield collector
    collector.server.shutdown()
    collector.server.server_close()


def test_claims_and_runs_and_what_is_enqueued_are_told(stage: Scene, collector: Collector) -> None:
    good, bad = stage.enqueue("work", seconds=0.5), stage.enqueue("raise")
    worker = stage.start(TRACES__ENDPOINT=collector.endpoint)
    stage.until(good, WorkStatus.SUCCEEDED)
    stage.until(bad, WorkStatus.FAILED)
    worker.process.terminate()
    assert worker.wait() == 0
    [run] = collector.named("run", item_id=str(good), outcome="Succeeded")
    [attempt] = collector.named("attempt", item_id=str(good))
    [claim] = [each for each in collector.named("claim") if each["traceId"] == run["traceId"]]
    assert run["parentSpanId"] == claim["parentSpanId"] == attempt["spanId"]
    lasted = int(run["endTimeUnixNano"]) - int(run["startTimeUnixNano"])
    assert 0.5e9 < lasted < 10e9
    assert claim["endTimeUnixNano"] == run["startTimeUnixNano"]
    [failed] = collector.named("run", item_id=str(bad))
    assert failed["status"] == {"code": 2}
    assert run["status"] == {"code": 0}
    assert {"TokenCleanup", "WorkItemRetention"} <= {
        attributes(each)["work.kind"]["stringValue"] for each in collector.named("enqueue")
    }
    assert collector.services == {"anichron-worker"}
    assert "kiss" not in json.dumps(collector.spans), "no error's text is told"


def test_a_collector_that_is_away_costs_one_line(stage: Scene) -> None:
    worker = stage.start(TRACES__ENDPOINT="http://127.0.0.1:9/v1/traces")
    for _ in range(2):
        stage.until(stage.enqueue("return"), WorkStatus.SUCCEEDED)
    eventually(lambda: "spans are lost" in worker.log.read_text())
    worker.process.terminate()
    assert worker.wait() == 0
    assert worker.log.read_text().count("spans are lost") == 1


PROBE = """
import sys
from entrypoints.api.container import ApiContainer
from entrypoints.common.settings import Settings
from entrypoints.worker.keeper_container import KeeperContainer
container = KeeperContainer(settings=Settings())
container.events(), container.work_queue()
ApiContainer(settings=Settings()).allow_missing()
print([name for name in sys.modules if name.startswith("opentelemetry")])
"""


def test_unless_wanted_nothing_of_it_is_loaded() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={"PATH": "/usr/bin:/bin", "ANICHRON_HOME": "/nonexistent"},
    )
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
