"""No peer and no network: reading, reasons and limits."""

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import psycopg
import pytest

from adapters.postgres.engine import PostgresAddress
from tests.benchmarks.queue.peers import environment as environments
from tests.benchmarks.queue.peers.command import Unavailable, output
from tests.benchmarks.queue.peers.environment import Environment, prepare
from tests.benchmarks.queue.peers.installer import Installer
from tests.benchmarks.queue.peers.peers import PEERS, Drained, Peer, drain, parsed
from tests.benchmarks.queue.peers.pythons import newest_first
from tests.benchmarks.queue.peers.requirements import read
from tests.benchmarks.queue.peers.trial import NotDrained, Trial
from tests.postgres_server import TestServer

OURS = Path(sys.executable)
HERE = Environment(OURS)
RESULT = {"items": 3, "seconds": 0.5, "settled_seconds": 0.75, "enqueue_seconds": 0.1}

# Takes uv's place: it notes its calls, and refuses what a file beside it names. A line of that
# file is a requirement, or a Python and a requirement.
FAKE_UV = """#!{python}
import sys
from pathlib import Path
here, (command, *rest) = Path(__file__).parent, sys.argv[1:]
with (here / "calls").open("a") as calls:
    print(command, *rest, file=calls)
if command == "venv":
    (Path(rest[-1]) / "bin").mkdir(parents=True, exist_ok=True)
    (Path(rest[-1]) / "bin" / "python").write_text(rest[-2])
else:
    python = Path(rest[rest.index("--python") + 1]).read_text()
    for line in (here / "refused").read_text().splitlines():
        wanted = line.split()
        if wanted[-1] in rest and (len(wanted) == 1 or wanted[0] == python):
            sys.exit(f"error: no solution\\n  cause: {{wanted[-1]}} wants a newer Python")
"""


class Cache:
    """A folder with an installer in it that installs nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pins = folder / "pins.txt"
        self.pins.write_text("# two\nleft==1.0\n\nright[binary]==2.0\n")
        uv = folder / "uv"
        uv.write_text(FAKE_UV.format(python=sys.executable))
        uv.chmod(0o755)
        self.installer = Installer(uv)
        self.refuse()

    def refuse(self, *lines: str) -> None:
        (self.folder / "refused").write_text("\n".join(lines))

    def prepare(self, *pythons: str) -> Environment:
        paths = [Path(python) for python in pythons or ("/newest", "/older")]
        return prepare(
            self.folder / "cache", pinned=self.pins, installer=self.installer, pythons=paths
        )

    def calls(self) -> Sequence[str]:
        log = self.folder / "calls"
        return log.read_text().splitlines() if log.exists() else []


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path)


def script(body: str) -> list[str]:
    return [sys.executable, "-c", body]


# ---------------------------------------------------------------- what is pinned


def test_every_peer_is_pinned() -> None:
    pinned = {requirement.name for requirement in read()}
    assert {peer.requirement for peer in PEERS} <= pinned
    assert [peer.name for peer in PEERS] == [
        *("procrastinate", "pgqueuer", "oban", "chancy", "awa", "absurd", "celery")
    ]


def test_a_peer_has_its_script() -> None:
    for peer in PEERS:
        assert Path(__file__).with_name(peer.script.rpartition(".")[2] + ".py").exists()


def test_a_pin_is_read_with_its_extras(cache: Cache) -> None:
    left, right = read(cache.pins)
    assert (left.name, left.version, left.line) == ("left", "1.0", "left==1.0")
    assert (right.name, right.version, right.line) == ("right", "2.0", "right[binary]==2.0")


@pytest.mark.parametrize("line", ["left", "left>=1", "--index-url https://x", "left==1 # why"])
def test_what_is_no_pin_is_named(cache: Cache, line: str) -> None:
    cache.pins.write_text(line)
    with pytest.raises(ValueError, match=f"pins.txt: not of the form name==version: {line}"):
        read(cache.pins)


# ---------------------------------------------------------------- commands


def test_a_command_prints() -> None:
    assert output(script("print('hello')"), 10) == "hello\n"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            "warning: slow\nerror: no oban\n  because of\n  this",
            "error: no oban because of this",
        ),
        (
            "error: fetching https://packages.example/oban (https://a) failed",
            "error: fetching failed",
        ),
        ("Pool(host='packages.example', port=443): no route", "port=443): no route"),
        ("  x No solution:\n  | no oban", "x No solution: no oban"),
        ("", "ended with code 3"),
    ],
)
def test_the_reason_is_the_last_that_was_said(said: str, reason: str) -> None:
    body = f"import sys; print(1); sys.stderr.write({said!r}); sys.exit(3)"
    assert output(script(body), 10) == Unavailable(reason)


def test_a_reason_is_no_novel() -> None:
    failed = output(script("import sys; sys.exit('word ' * 1000)"), 10)
    assert isinstance(failed, Unavailable)
    assert len(failed.reason) == 300


def test_a_command_has_a_limit() -> None:
    assert output(script("import time; time.sleep(30)"), 0.6) == Unavailable(
        "took longer than 0.6 s"
    )


def test_a_command_that_is_not_there_is_named() -> None:
    missing = output(["/nowhere/uv", "venv"], 10)
    assert missing == Unavailable("/nowhere/uv: No such file or directory")


# ---------------------------------------------------------------- the environment


def test_the_newest_python_comes_first_and_ours_is_there(tmp_path: Path) -> None:
    newer, shim = tmp_path / "newer", tmp_path / "shim"
    newer.write_text("#!/bin/sh\necho 99 2\n")
    shim.write_text("#!/bin/sh\necho not found >&2; exit 127\n")
    for path in (newer, shim):
        path.chmod(0o755)
    assert newest_first([shim, tmp_path / "absent", newer]) == [newer, OURS]


def test_an_environment_is_made_once(cache: Cache) -> None:
    made = cache.prepare()
    assert made.missing == {}
    assert made.python.read_text() == "/newest"
    assert [call.split()[0] for call in cache.calls()] == ["venv", "pip"]
    assert cache.prepare() == made
    assert len(cache.calls()) == 2


def test_other_pins_are_another_environment(cache: Cache) -> None:
    before = cache.prepare()
    cache.pins.write_text("left==1.1\n")
    assert cache.prepare().python != before.python


def test_an_older_python_is_taken_where_everything_installs(cache: Cache) -> None:
    cache.refuse("/newest right[binary]==2.0")
    made = cache.prepare()
    assert made.missing == {}
    assert made.python.read_text() == "/older"


def test_what_no_python_accepts_is_missing_with_its_reason_and_tried_again(cache: Cache) -> None:
    cache.refuse("right[binary]==2.0")
    made = cache.prepare()
    assert made.missing == {
        "right": "error: no solution cause: right[binary]==2.0 wants a newer Python"
    }
    assert made.python.read_text() == "/newest"
    cache.refuse()
    assert cache.prepare().missing == {}


def test_without_an_installer_everything_is_missing(cache: Cache) -> None:
    cache.installer = Installer(Path("/nowhere/uv"))
    reason = "/nowhere/uv: No such file or directory"
    assert cache.prepare().missing == {"left": reason, "right": reason}


def test_installing_has_a_limit(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environments, "LIMIT_SECONDS", 0.0)
    reason = "no time was left of the 0 s for installing"
    assert cache.prepare().missing == {"left": reason, "right": reason}
    assert cache.calls() == []


# ---------------------------------------------------------------- results


def test_a_result_is_the_last_line() -> None:
    drained = parsed(f"a banner\n{json.dumps(RESULT)}\n", 3)
    assert drained == Drained(items=3, seconds=0.5, settled_seconds=0.75, enqueue_seconds=0.1)
    assert drained.items_a_second == 6.0


@pytest.mark.parametrize("printed", ["", "done", "[]", "3", '{"items": 3}', '{"error": 1}'])
def test_what_is_no_result_is_said(printed: str) -> None:
    assert parsed(printed, 3) == Unavailable(f"printed no result, but {printed!r}")


@pytest.mark.parametrize("wrong", [{"items": 2}, {"seconds": 0.0}])
def test_a_result_of_something_else_is_refused(wrong: dict[str, float]) -> None:
    line = json.dumps(RESULT | wrong)
    assert parsed(line, 3) == Unavailable(f"3 items were asked for, and it says {line}")


def test_a_peer_that_is_not_installed_is_not_tried() -> None:
    nowhere = PostgresAddress(host="/nowhere", port=1, dbname="none", user="nobody")
    without = Environment(OURS, {"awa-pg": "no wheel"})
    awa = Peer("awa", "awa-pg")
    assert drain(without, awa, nowhere, 3, "1") == Unavailable("not installed: no wheel")


@pytest.mark.postgres
def test_a_peers_database_goes_when_the_peer_fails(server: TestServer) -> None:
    failed = drain(HERE, Peer("no_such", "no-such"), server.address, 3, "default")
    assert isinstance(failed, Unavailable)
    assert failed.reason.endswith("No module named tests.benchmarks.queue.peers.no_such_peer")
    with psycopg.connect(server.address.conninfo()) as connection:
        left = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE 'peer%'")
        assert left.fetchall() == []


# ---------------------------------------------------------------- inside a script


def trial_of(body: str) -> str | Unavailable:
    """A script whose drain is this."""
    lines = (
        "import asyncio",
        "from tests.benchmarks.queue.peers import trial as trials",
        "trials.PATIENCE_SECONDS = 0.4",
        f"async def drain(trial): {body}",
        "trials.run(drain)",
    )
    return output([*script("\n".join(lines)), "postgresql:///none", "3", "1"], 20)


def test_an_error_of_a_peer_is_one_line() -> None:
    assert trial_of("raise OSError('a\\nb')") == Unavailable("OSError: a b")


def test_a_peer_that_hangs_says_how_far_it_came() -> None:
    hung = trial_of("trial.job(); await asyncio.sleep(60)")
    assert hung == Unavailable("NotDrained: 1 of 3 jobs ran, and not all settled, within 0.4 s")


def test_jobs_in_other_processes_are_counted_until_all_are_seen_done() -> None:
    counts = iter([0, 0, 1, 2, 3])
    trial = Trial(connection="", items=3, is_one_at_a_time=True)
    asyncio.run(trial.seen_done(lambda: next(counts)))
    report = json.loads(trial.report())
    assert report["items"] == 3
    assert report["seconds"] == report["settled_seconds"] > 0


def test_jobs_that_did_not_run_once_are_no_result() -> None:
    trial = Trial(connection="", items=1, is_one_at_a_time=True)
    trial.job()
    assert json.loads(trial.report())["items"] == 1
    trial.job()
    with pytest.raises(NotDrained, match="1 items were enqueued, and jobs ran 2 times"):
        trial.report()
