"""`make schemathesis`: every operation of the OpenAPI document against a real host."""

import argparse
import json
import subprocess
import sys
import tempfile
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

from tests.api_fuzz.seeds import ADMIN, PASSWORD, Seeds, sow
from tests.entrypoints.api.running_host import RunningHost, running_host
from tests.postgres_server import engine_at, running_server

MOST_SECONDS = 600
HOST = {"LOG_FORMAT": "json", "WORK_ITEM_EVENTS__INTERVAL_SECONDS": "0.2"}
# Two checks are left out. Not everything that a schema lets through is right: it can't tell a
# cursor that a list gave out, a time zone, a path, the letters of a name. And the schema of the
# stream is that of its text (OpenAPI 3.1 knows no other); the tool takes it for each event's.
SETTINGS = """\
max-stream-events = 2
request-timeout = 10
continue-on-failure = true

[warnings]
enabled = false

[checks.positive_data_acceptance]
enabled = false

[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "409", "413", "414", "415", "429"]

[[operations]]
include-operation-id = "followWorkItems"
checks.response_schema_conformance.enabled = false
"""


def main() -> int:
    options = _options()
    with tempfile.TemporaryDirectory() as folder, running_server() as server:
        home = Path(folder)
        home.chmod(0o755)  # as root, the embedded server's account must pass through
        server.prepare_template()
        with server.database() as database:
            with engine_at(database) as engine:
                seeds = sow(engine, home / "proxies")
            with running_host(database, home, **HOST, PROXY_PATH=str(home / "proxies")) as host:
                return _fuzz(host, home, seeds, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=40, help="of an operation, a phase")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def _fuzz(host: RunningHost, home: Path, seeds: Seeds, options: argparse.Namespace) -> int:
    configured = home / "schemathesis.toml"
    configured.write_text(SETTINGS + _bindings(seeds))
    token = _token(host)
    command: list[str | Path] = [
        *(Path(sys.executable).with_name("st"), "--config-file", configured, "--no-color", "run"),
        f"http://127.0.0.1:{host.port}/api/v1/openapi.json",
        *("-H", f"Authorization: Bearer {token}"),
        *("--max-examples", str(options.examples), "--seed", str(options.seed)),
    ]
    done = subprocess.run(command, cwd=home, check=False, timeout=MOST_SECONDS)
    faults = [*_faults(host, token)]
    print(*faults, sep="\n")
    return done.returncode or bool(faults)


def _bindings(seeds: Seeds) -> str:
    """Most ids lead somewhere, the rest nowhere."""
    lists = [
        f"[dictionaries.{name}]\nvalues = {json.dumps([str(each) for each in ids])}"
        for name, ids in seeds.ids.items()
    ]
    uses = [f'"path.{name}" = {{ dictionary = "{name}", probability = 0.7 }}' for name in seeds.ids]
    return "\n".join(["", *lists, "[parameters]", *uses, ""])


def _token(host: RunningHost) -> str:
    with closing(host.connect()) as connection:
        body = json.dumps({"username": ADMIN, "password": PASSWORD})
        connection.request("POST", "/api/v1/auth/login", body, {"Content-Type": "application/json"})
        token: str = json.load(connection.getresponse())["accessToken"]
        return token


def _faults(host: RunningHost, token: str) -> list[str]:
    """What the client can't see, and what would make a run worth nothing."""
    faults = []
    if "Traceback" in host.log.read_text() or '"level": "error"' in host.log.read_text():
        faults.append(f"the host's log has errors:\n{host.log.read_text()[-5_000:]}")
    with closing(HTTPConnection("127.0.0.1", host.port, timeout=10)) as connection:
        headers = {"Authorization": f"Bearer {token}"}
        connection.request("GET", "/api/v1/admin/users", headers=headers)
        status = connection.getresponse().status
    if status != 200:
        faults.append(f"the admin was refused in the end ({status}): most was not reached")
    return faults


if __name__ == "__main__":
    sys.exit(main())
