"""`anichron up` as a newcomer starts it: an empty home, one command, a crawled library."""

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from PIL import Image

from tests.process.hosts import ROOT, eventually

pytestmark = [pytest.mark.process, pytest.mark.timeout(240)]


@dataclass
class Installation:
    home: Path
    port: int
    log: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self, **environment: str) -> None:
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "entrypoints.cli.main", "up"],
                cwd=ROOT,
                env={
                    "PATH": os.environ["PATH"],
                    "HOME": str(self.home.parent),
                    "ANICHRON_HOME": str(self.home),
                    "PORT": str(self.port),
                    "http_proxy": "http://127.0.0.1:9",  # nobody there, and nobody to be asked
                    "POSTGRES_CONNECTION__HOST": "",  # as a compose file leaves it
                    "QUEUE__SCHEDULE_SECONDS": "0.5",
                    "QUEUE__POLL_SECONDS": "0.5",
                    "WORK_ITEM_EVENTS__INTERVAL_SECONDS": "0.5",
                    **environment,
                },
                stdout=output,
                stderr=output,
            )

    def wait_until_ready(self) -> None:
        eventually(lambda: "Anichron is ready" in self.text(), 90, self.text)

    def text(self) -> str:
        return self.log.read_text()

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(60)

    def call(self, path: str, body: object = None, token: str | None = None) -> Any:
        request = urllib.request.Request(  # our own address
            f"http://127.0.0.1:{self.port}/api/v1/{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"}
            | ({"Authorization": f"Bearer {token}"} if token else {}),
        )
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return json.load(answer)

    def log_in(self, name: str = "admin", password: str = "") -> str:
        password = password or (self.home / "admin-password").read_text().strip()
        tokens = self.call("auth/login", {"username": name, "password": password})
        return str(tokens["accessToken"])

    def fetch(self, path: str, token: str) -> bytes:
        """The body of what an answer named."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", headers={"Authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            body: bytes = answer.read()
        return body

    def items(self, token: str, query: str = "") -> list[dict[str, Any]]:
        listed = self.call(f"admin/work-items{query}", token=token)
        return list(listed["items"])

    def is_up(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def server_is_up(self) -> bool:
        return (self.home / "postgres" / "data" / "postmaster.pid").exists()


@pytest.fixture
def installation() -> Iterator[Installation]:
    base = Path(tempfile.mkdtemp(prefix="anichron-up-"))
    base.chmod(0o755)  # as root, the embedded server's account must pass through
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    here = Installation(base / "home", port, base / "log")
    yield here
    if here.process is not None and here.process.poll() is None:
        here.stop()
    shutil.rmtree(base)


def test_one_command_crawls_the_sample_library_and_stops_cleanly(
    installation: Installation,
) -> None:
    installation.start()
    installation.wait_until_ready()
    text = installation.text()
    assert f"http://127.0.0.1:{installation.port}" in text
    assert "user      admin" in text
    password_file = installation.home / "admin-password"
    assert str(password_file) in text
    assert stat.S_IMODE(password_file.stat().st_mode) == 0o600

    token = installation.log_in()
    eventually(
        lambda: len(installation.items(token, "?status=Succeeded")) == 3, 60, installation.text
    )
    [crawl] = installation.items(token, "?kind=Crawl")
    assert (crawl["result"]["found"], crawl["result"]["ingested"]) == (24, 24)
    assert (crawl["requestedBy"], crawl["attempt"], crawl["stalls"]) == (None, 1, 0)
    previews = list((installation.home / "proxies").rglob("preview.jpg"))
    assert len(previews) == 24
    assert_each_host_has_its_role(installation)
    assert_memories_are_the_owners(installation, token)
    assert_an_emptied_folder_is_let_through(installation, token)

    assert installation.stop() == 0
    assert installation.text().splitlines()[-1] == "Anichron is stopped"
    assert not installation.is_up()
    assert not installation.server_is_up()

    installation.start()
    eventually(lambda: installation.text().count("Anichron is ready") == 2, 60, installation.text)
    token = installation.log_in()
    assert len(installation.items(token)) == 4, "nothing is due again, nobody is made twice"
    assert installation.stop(signal.SIGTERM) == 0


def assert_memories_are_the_owners(installation: Installation, token: str) -> None:
    """Christmas Eve of six years, with real pictures that give nothing away; for nobody else."""
    listed = installation.call("me/memories?month=12&day=24", token=token)["items"]
    years = [entry["year"] for entry in listed]
    assert years == sorted(years, reverse=True)
    assert len(set(years)) == 6
    assert {entry["capturedAt"][4:] for entry in listed} == {"-12-24T18:30:00"}
    assert {(each["mediaType"], each["isEstimated"]) for each in listed} == {("Image", False)}
    assert listed[0]["camera"] == {"make": "Anichron", "model": "Sample", "lens": None}
    for name, longest in (("thumbnail", 300), ("preview", 1_600)):
        with Image.open(BytesIO(installation.fetch(listed[0][name], token))) as picture:
            assert (picture.format, max(picture.size)) == ("JPEG", longest)
            assert dict(picture.getexif()) == {}
            picture.load()
    [config] = installation.call("me/storage-configs", token=token)["items"]
    failures = installation.call(f"me/storage-configs/{config['id']}/crawl-failures", token=token)
    assert (failures["items"], failures["attempt"]) == ([], 1)

    bob = {"name": "bob", "email": "bob@example.org", "password": "a good password"}
    installation.call("admin/users", bob, token)
    other = installation.log_in("bob", bob["password"])
    assert installation.call("me/memories?month=12&day=24", token=other)["items"] == []
    assert installation.call("me/storage-configs", token=other)["items"] == []
    with pytest.raises(urllib.error.HTTPError, match="404"):
        installation.fetch(listed[0]["thumbnail"], other)


def assert_an_emptied_folder_is_let_through(installation: Installation, token: str) -> None:
    """An admin says that the pictures are really gone, and the crawl begins at once."""
    for year in (installation.home / "sample-library").iterdir():
        shutil.rmtree(year)
    [config] = installation.call("admin/storage-configs", token=token)["items"]
    path = f"admin/storage-configs/{config['id']}/allow-missing"
    item = installation.call(path, {}, token)["id"]

    def crawled() -> dict[str, Any]:
        read: dict[str, Any] = installation.call(f"admin/work-items/{item}", token=token)
        return read

    eventually(lambda: crawled()["status"] == "Succeeded", 30, installation.text)
    result = crawled()["result"]
    assert (result["found"], result["missing"], result["heldBack"]) == (0, 24, 0)
    assert installation.call("me/memories?month=12&day=24", token=token)["items"] == []


def assert_each_host_has_its_role(installation: Installation) -> None:
    socket_directory = installation.home / "postgres" / "run"
    with psycopg.connect(host=str(socket_directory), user="anichron", dbname="anichron") as owner:
        found = owner.execute(
            "SELECT DISTINCT application_name, usename FROM pg_stat_activity"
            " WHERE application_name LIKE 'anichron-%'"
        ).fetchall()
    assert {user for name, user in found if name == "anichron-api"} == {"anichron_api"}
    workers = {user for name, user in found if name != "anichron-api"}
    assert workers == {"anichron_worker"}


def test_a_host_that_dies_is_started_again_and_all_end_with_a_killed_supervisor(
    installation: Installation,
) -> None:
    installation.start(LIBRARY=str(_folder(installation, "photos")))
    installation.wait_until_ready()
    eventually(lambda: "ready to work" in installation.text(), 60, installation.text)
    assert installation.process is not None
    worker = _child(installation.process.pid, "worker")
    os.kill(worker, signal.SIGKILL)
    eventually(lambda: "the worker ended with status -9" in installation.text(), 20)
    eventually(lambda: installation.text().count("ready to work") == 2, 60, installation.text)

    installation.process.kill()
    installation.process.wait(10)
    eventually(lambda: not installation.is_up(), 30)
    eventually(lambda: not installation.server_is_up(), 30)
    installation.start(LIBRARY=str(installation.home.parent / "photos"))
    eventually(lambda: installation.text().count("Anichron is ready") == 2, 60, installation.text)


def test_two_at_once_in_one_home_and_a_port_in_use_are_one_line_each(
    installation: Installation,
) -> None:
    installation.start(LIBRARY=str(_folder(installation, "photos")))
    installation.wait_until_ready()
    second = Installation(installation.home, installation.port, installation.log.with_name("2"))
    second.start()
    assert second.process is not None
    assert second.process.wait(30) == 2
    assert second.text() == (
        f"Anichron is already running in {installation.home}; a second one needs an ANICHRON_HOME"
        " and a PORT of its own\n"
    )
    third = Installation(
        installation.home.with_name("other"), installation.port, installation.log.with_name("3")
    )
    third.start()
    assert third.process is not None
    assert third.process.wait(30) == 2
    assert third.text() == (
        f"PORT: cannot listen on 127.0.0.1:{installation.port}: Address already in use;"
        " choose another, such as PORT=8277\n"
    )


@pytest.mark.parametrize(
    ("library", "complaint"),
    [("/nowhere", "LIBRARY: /nowhere is not a folder"), ("here", "LIBRARY: must be an absolute")],
)
def test_a_library_that_is_no_folder_is_one_line(
    installation: Installation, library: str, complaint: str
) -> None:
    installation.start(LIBRARY=library)
    assert installation.process is not None
    assert installation.process.wait(60) == 2
    [line] = installation.text().splitlines()
    assert line.startswith(complaint)
    assert not installation.server_is_up()


@pytest.mark.parametrize(
    ("variable", "value", "complaint"),
    [
        ("WORKER__USER", "nobody", "WORKER__USER: there is no user named nobody"),
        ("JWT__SECRET_FILE", "/nope", "JWT__SECRET_FILE: /nope cannot be read"),
    ],
)
def test_what_no_host_would_start_with_is_one_line(
    installation: Installation, variable: str, value: str, complaint: str
) -> None:
    installation.start(LIBRARY=str(_folder(installation, "photos")), **{variable: value})
    assert installation.process is not None
    assert installation.process.wait(60) == 2
    [line] = installation.text().splitlines()
    assert line.startswith(complaint)


def test_a_database_that_dies_is_started_again_and_work_goes_on(
    installation: Installation,
) -> None:
    installation.start(LIBRARY=str(_folder(installation, "photos")))
    installation.wait_until_ready()
    pidfile = installation.home / "postgres" / "data" / "postmaster.pid"
    os.kill(int(pidfile.read_text().splitlines()[0]), signal.SIGKILL)
    eventually(lambda: "PostgreSQL ended; starting it again in 1 s" in installation.text(), 20)
    eventually(lambda: "PostgreSQL is back" in installation.text(), 60, installation.text)

    def lists() -> bool:
        try:
            return bool(installation.call("readyz") == {"status": "ready"})
        except OSError:
            return False

    eventually(lists, 30, installation.text)
    assert installation.items(installation.log_in()) is not None
    assert installation.stop() == 0


def _folder(installation: Installation, name: str) -> Path:
    folder = installation.home.parent / name
    folder.mkdir()
    return folder


def _child(parent: int, name: str) -> int:
    """The supervised process that runs this command."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                owner = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
            if owner == parent and name.encode() in words:
                return int(entry.name)
    raise AssertionError(f"no {name} below {parent}")


@pytest.mark.skipif(os.getuid() != 0, reason="only root drops to another account")
def test_a_home_that_the_servers_account_cannot_reach_is_one_line(
    installation: Installation,
) -> None:
    installation.home.parent.chmod(0o700)
    installation.start(LIBRARY=str(_folder(installation, "photos")))
    assert installation.process is not None
    assert installation.process.wait(60) == 2
    [line] = installation.text().splitlines()
    assert line.startswith(f"{installation.home}/postgres: the account ")
    assert "cannot pass through" in line
