"""`anichron work` against a real API, as a person and as a script use it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.engine import PostgresAddress
from tests.contracts.harness import PostgresPorts
from tests.entrypoints.api.running_host import RunningHost, running_host
from tests.entrypoints.cli.command import ROOT, run
from tests.real_admin import add_admin

pytestmark = [pytest.mark.postgres, pytest.mark.process, pytest.mark.once]
PASSWORD = "the admin's own password"
# The token ends while somebody watches.
BRIEF = {"JWT__ACCESS_MINUTES": "0.05", "WORK_ITEM_EVENTS__INTERVAL_SECONDS": "0.2"}


@pytest.fixture
def ports(engine: Engine) -> PostgresPorts:
    add_admin(engine, "admin", PASSWORD)
    return PostgresPorts(engine=engine)


@pytest.fixture
def host(
    database: PostgresAddress,
    ports: PostgresPorts,  # noqa: ARG001  # the admin is there first
    tmp_path: Path,
) -> Iterator[RunningHost]:
    with running_host(database, tmp_path, **BRIEF) as host:
        yield host


def work(
    host: RunningHost, home: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    reach = {"PORT": str(host.port), "ANICHRON_API_PASSWORD": PASSWORD}
    return run(home, "work", *arguments, **{**reach, **environment})


def test_items_are_listed_shown_and_cancelled(
    host: RunningHost, ports: PostgresPorts, engine: Engine, tmp_path: Path
) -> None:
    queued, running = ports.enqueue(key="a"), ports.enqueue("Crawl")
    with engine.begin() as connection:
        connection.execute(
            text(
                "UPDATE work_items SET status = 'Running', attempt = 1, claimed_by = 'all@there',"
                " started_at = clock_timestamp(), progress_done = 1200, progress_total = 5000,"
                " lease_until = clock_timestamp() + interval '1 h', progress_note = E'x\\x1b[2J'"
                " WHERE id = :id"
            ),
            {"id": running},
        )
    found = json.loads(work(host, tmp_path, "list", "--json").stdout)
    assert [item["id"] for item in found["items"]] == [str(running), str(queued)]
    one = work(host, tmp_path, "list", "--status", "running")
    assert "1,200 of 5,000" in one.stdout
    assert str(queued) not in one.stdout
    assert one.stderr == "1 of 1\n"
    shown = work(host, tmp_path, "show", str(running)).stdout
    assert "worker        all@there" in shown
    assert "folder        none" in shown
    assert re.search(r"^requested     [-\d]{10} [:\d]{8} UTC, scheduled$", shown, re.MULTILINE)
    assert "\x1b" not in shown, "what a terminal obeys is not passed on"
    cancelled = work(host, tmp_path, "cancel", str(queued), str(running))
    assert cancelled.returncode == 0, cancelled.stderr
    assert cancelled.stdout.splitlines() == [
        f"{queued}  ■ Cancelled",
        f"{running}  ▶ Cancelling",
    ]
    again = work(host, tmp_path, "cancel", str(queued))
    assert (again.returncode, again.stdout) == (1, "")
    assert again.stderr == f"had finished already: {queued}\n"
    with engine.connect() as connection:
        left = "SELECT count(*) FROM refresh_tokens WHERE used_at IS NULL AND revoked_at IS NULL"
        assert connection.execute(text(left)).scalar_one() == 0, "each command logs out"


def test_what_goes_wrong_is_one_line_with_a_code_of_its_own(
    host: RunningHost, tmp_path: Path
) -> None:
    bad_password = work(host, tmp_path, "list", ANICHRON_API_PASSWORD="guessed wrongly")
    unknown = work(host, tmp_path, "show", str(uuid4()))
    nobody = work(host, tmp_path, "list", "--url", "http://127.0.0.1:9")
    plain = work(host, tmp_path, "list", "--url", "http://photos.example.org")
    no_url = work(host, tmp_path, "list", "--url", "photos")
    no_password = work(host, tmp_path, "list", ANICHRON_API_PASSWORD="")
    no_file = work(host, tmp_path, "list", "--password-file", "/nope")
    said = (bad_password, unknown, nobody, plain, no_url, no_password, no_file)
    assert [done.returncode for done in said] == [4, 2, 3, 2, 2, 2, 2]
    assert all(len(done.stderr.splitlines()) == 1 for done in said), [d.stderr for d in said]
    assert nobody.stderr == (
        "nothing listens at http://127.0.0.1:9 (connection refused): is `make run`, or"
        " `anichron api`, running there?\n"
    )
    assert "would send the password unencrypted" in plain.stderr
    assert "ANICHRON_API_PASSWORD" in no_password.stderr
    for done in said:
        assert PASSWORD not in done.stderr + done.stdout


def test_on_the_machine_of_up_no_password_has_to_be_given(
    host: RunningHost, tmp_path: Path
) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "admin-password").write_text(PASSWORD + "\n")
    done = work(host, tmp_path, "list", ANICHRON_API_PASSWORD="")
    assert done.returncode == 0, done.stderr


class Watch:
    """A running `work watch`, whose lines are waited for."""

    def __init__(self, host: RunningHost, home: Path, *arguments: str) -> None:
        self.out = home / "watched"
        with self.out.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "entrypoints.cli.main", "work", "watch", *arguments],
                cwd=ROOT,
                env={
                    "PATH": os.environ["PATH"],
                    "ANICHRON_HOME": str(home),
                    "PORT": str(host.port),
                    "ANICHRON_API_PASSWORD": PASSWORD,
                },
                stdout=output,
                stderr=subprocess.STDOUT,
                # What a shell starts in the background is deaf to Ctrl-C, and so are its children.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
            )

    def until(self, wanted: str, limit: float = 20) -> str:
        end = time.monotonic() + limit
        while wanted not in self.out.read_text():
            assert time.monotonic() < end, self.out.read_text()
            time.sleep(0.05)
        return self.out.read_text()


def test_watching_goes_on_when_the_token_ends_and_stops_with_ctrl_c(
    host: RunningHost, ports: PostgresPorts, tmp_path: Path
) -> None:
    listed = ports.enqueue(key="before")
    watch = Watch(host, tmp_path, "--json", "--kind", "TokenCleanup")
    try:
        watch.until(str(listed))
        began = time.monotonic()
        ids: list[UUID] = []
        while time.monotonic() - began < 5:  # the token lasts 3 s
            ids.append(ports.enqueue())
            watch.until(str(ids[-1]))
            ports.enqueue("Crawl")
            time.sleep(0.3)
        lines = [json.loads(line) for line in watch.until("leases").splitlines()]
        watch.process.send_signal(signal.SIGINT)
        assert watch.process.wait(20) == 130
    finally:
        watch.process.kill()
        watch.process.wait(10)
    items = [line["data"] for line in lines if line["event"] == "work-item"]
    assert {item["id"] for item in items} == {str(each) for each in (listed, *ids)}
    assert {item["kind"] for item in items} == {"TokenCleanup"}


def test_watching_survives_the_api(
    database: PostgresAddress, ports: PostgresPorts, tmp_path: Path
) -> None:
    with running_host(database, tmp_path, **BRIEF) as host:
        port = host.port
        watch = Watch(host, tmp_path)
        watch_is_there = ports.enqueue(key="first")
        watch.until(f"{watch_is_there}  TokenCleanup  · Queued")
    try:
        watch.until("trying again")
        again = ports.enqueue(key="second")
        with running_host(database, tmp_path, **BRIEF, PORT=str(port)):
            watch.until(str(again))
    finally:
        watch.process.kill()
        watch.process.wait(10)


def test_watching_tells_when_the_api_does_not_hear_from_its_database(
    database: PostgresAddress, ports: PostgresPorts, engine: Engine, tmp_path: Path
) -> None:
    often = {"INTERVAL_SECONDS": "0.2", "KEEP_ALIVE_SECONDS": "1"}
    settings = {f"WORK_ITEM_EVENTS__{name}": value for name, value in often.items()}
    with running_host(database, tmp_path, **settings) as host:
        watch = Watch(host, tmp_path)
        try:
            for key in "abcde":  # some looks, so that it is known how often there are any
                watch.until(str(ports.enqueue(key=key)))
            with engine.begin() as connection:
                connection.execute(text("SET LOCAL idle_in_transaction_session_timeout = 0"))
                connection.execute(text("LOCK TABLE work_items IN ACCESS EXCLUSIVE MODE"))
                said = watch.until("does not hear from its database", 60)
            watch.until(str(ports.enqueue(key="after")))
        finally:
            watch.process.kill()
            watch.process.wait(10)
    assert said.count("trying again") == 1
