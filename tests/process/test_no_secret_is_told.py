"""Real hosts and commands with secrets that can be looked for, through success and failure."""

import json
import os
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from adapters.postgres.engine import PostgresAddress
from adapters.postgres.users import PostgresUsers
from adapters.security.password_hasher import Argon2PasswordHasher
from application.ports.users import NewUser
from tests.entrypoints.api.running_host import RunningHost, running_host
from tests.postgres_server import as_role, connection_variables
from tests.process.hosts import ROOT, eventually
from tests.process.refusing_server import refusing_server

pytestmark = [pytest.mark.postgres, pytest.mark.process]

DATABASE_PASSWORD = "canary-of-the-database"
SIGNING_SECRET = "canary-of-the-signature-of-over-32-bytes"
USER_PASSWORD = "canary-of-a-user"
OTHER_PASSWORD = "canary-of-another-user"
MISSPELT = "canary-of-a-misspelt-name"


@dataclass
class Scene:
    """What was said, by whom, and what must not have been."""

    said: dict[str, str] = field(default_factory=dict)
    secrets: list[str] = field(
        default_factory=lambda: [
            *(DATABASE_PASSWORD, SIGNING_SECRET, USER_PASSWORD, OTHER_PASSWORD, MISSPELT)
        ]
    )

    def assert_nothing_was_told(self) -> None:
        for who, said in self.said.items():
            for secret in self.secrets:
                assert secret not in said, f"{who} tells {secret!r}"


@dataclass
class Talker:
    """A client that keeps every answer but those that are meant to hold tokens."""

    host: RunningHost
    scene: Scene

    def __call__(self, method: str, path: str, body: object = None, token: str = "") -> bytes:
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = body if isinstance(body, str | None) else json.dumps(body)
        with closing(HTTPConnection("127.0.0.1", self.host.port, timeout=20)) as connection:
            connection.request(method, f"/api/v1{path}", data, headers)
            answer = connection.getresponse()
            content = answer.read()
        if answer.status != 200 or "auth" not in path:
            told = f"{answer.status} {answer.headers}\n{content.decode()}"
            self.scene.said[f"{method} {path} {len(self.scene.said)}"] = told
        return content

    def tokens(self, path: str, body: object) -> tuple[str, str]:
        found = json.loads(self("POST", path, body))
        self.scene.secrets += [found["accessToken"], found["refreshToken"]]
        return found["accessToken"], found["refreshToken"]


def secret_settings(folder: Path) -> dict[str, str]:
    (folder / "secret").write_text(SIGNING_SECRET)
    return {
        "JWT__SECRET_FILE": str(folder / "secret"),
        "LOG_LEVEL": "debug",
        "PYTHONASYNCIODEBUG": "1",
        "POSTGRES_CONNECTION__PASSWORD": DATABASE_PASSWORD,
    }


def command_lines(process: int) -> str:
    """Of the process and of those that it started."""
    ids = [process, *children_of(process)]
    return "\n".join(Path(f"/proc/{each}/cmdline").read_bytes().decode() for each in ids)


def children_of(process: int) -> list[int]:
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [found for each in map(int, children) for found in (each, *children_of(each))]


@pytest.mark.parametrize("form", ["json", "console"])
def test_the_api_tells_no_secret(
    database: PostgresAddress, engine: Engine, tmp_path: Path, form: str
) -> None:
    add_root(engine)
    scene = Scene()
    settings = secret_settings(tmp_path) | {"LOG_FORMAT": form}
    if as_role(database, "anichron_api").password:
        del settings["POSTGRES_CONNECTION__PASSWORD"]
    with running_host(database, tmp_path, **settings) as host:
        scene.said["command lines"] = command_lines(host.process.pid)
        talk = Talker(host, scene)
        use(talk)
        misuse(talk)
        break_the_tables(talk, engine)
        host.stop()
        scene.said["log"] = host.log.read_text()
    assert "Traceback" in scene.said["log"], "the test is about tracebacks too"
    assert "debug" in scene.said["log"]
    scene.assert_nothing_was_told()


def use(talk: Talker) -> None:
    access, refresh = talk.tokens("/auth/login", {"username": "root", "password": USER_PASSWORD})
    access, second = talk.tokens("/auth/refresh", {"refreshToken": refresh})
    talk("GET", "/admin/users", token=access)
    added = {"name": "bob", "email": "bob@example.org", "password": OTHER_PASSWORD}
    user = json.loads(talk("POST", "/admin/users", added, token=access))
    talk("PATCH", f"/admin/users/{user['id']}", {"password": OTHER_PASSWORD}, token=access)
    talk("POST", "/auth/refresh", {"refreshToken": refresh})
    talk("POST", "/auth/logout", {"refreshToken": second})


def misuse(talk: Talker) -> None:
    for body in (
        {"username": USER_PASSWORD, "password": "nothing"},
        {"username": "root", "password": [USER_PASSWORD]},
        {"username": "root", "password": {"is": USER_PASSWORD}},
        {"username": "root", "password": USER_PASSWORD, "more": USER_PASSWORD},
        {"username": "root", "password": USER_PASSWORD + "\0"},
        {"username": "root", "password": USER_PASSWORD * 100},
        '{"username": "root", "password": "' + USER_PASSWORD,
        f'{{"username": "root", "password": "{USER_PASSWORD}\\ud800"}}',
        f'"{USER_PASSWORD}"',
        USER_PASSWORD,
    ):
        talk("POST", "/auth/login", body)
    for _ in range(6):
        talk("POST", "/auth/login", {"username": "root", "password": OTHER_PASSWORD})
    for token in talk.scene.secrets:
        talk("GET", "/admin/users", token=f"{token}x")
        talk("GET", "/admin/users", token=f"{token[:-4]}")
        talk("POST", "/auth/refresh", {"refreshToken": token})
        talk("POST", "/auth/logout", {"refreshToken": [token]})
        talk("GET", "/healthz", token=token)


def break_the_tables(talk: Talker, engine: Engine) -> None:
    """What nobody foresees is logged with its traceback."""
    access, refresh = talk.tokens("/auth/login", {"username": "bob", "password": OTHER_PASSWORD})
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE users RENAME TO people"))
    talk("POST", "/auth/login", {"username": "bob", "password": OTHER_PASSWORD})
    talk("POST", "/auth/refresh", {"refreshToken": refresh})
    talk("GET", "/me/storage-configs", token=access)


def add_root(engine: Engine) -> None:
    PostgresUsers(engine=engine).add(
        NewUser(
            name="root",
            email="root@example.org",
            password_hash=Argon2PasswordHasher().hash(USER_PASSWORD),
            is_admin=True,
        )
    )


def run(*command: str, **environment: str) -> str:
    """What a command says, on either stream; one that goes on is stopped."""
    done = subprocess.run(
        [sys.executable, *command],
        env={"PATH": os.environ["PATH"], "LOG_LEVEL": "debug", **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return f"{done.returncode}\n{done.stdout}\n{done.stderr}"


CLI = ("-m", "entrypoints.cli.main")
BARE_API = ("-m", "gunicorn", "--config", "python:entrypoints.api.gunicorn_conf")


def test_neither_settings_nor_faults_in_them_tell_a_secret(tmp_path: Path) -> None:
    scene = Scene()
    (tmp_path / "short").write_text(SIGNING_SECRET[:20])
    (tmp_path / "binary").write_bytes(SIGNING_SECRET.encode() + b"\xff")
    home = {"ANICHRON_HOME": str(tmp_path)}
    good = {"JWT__SECRET": SIGNING_SECRET, "POSTGRES_CONNECTION__PASSWORD": DATABASE_PASSWORD}
    faults = {
        "a short secret": {"JWT__SECRET": SIGNING_SECRET[:20]},
        "a misspelt member": {"JWT__SECRTE": MISSPELT},
        "a group as a value": {"JWT": MISSPELT},
        "a group as JSON": {"JWT": json.dumps({"secret": MISSPELT})},
        "another fault beside": {**good, "QUEUE__LEASE_SECONDS": "1"},
        "a fault of several": {**good, "WORK_ITEM_EVENTS__LOOKBACK_SECONDS": "1"},
        "a number": {**good, "PORT": MISSPELT},
        "a short file": {"JWT__SECRET_FILE": str(tmp_path / "short")},
        "a binary file": {"JWT__SECRET_FILE": str(tmp_path / "binary")},
        "a binary password": {
            "POSTGRES_CONNECTION__HOST": "127.0.0.1",
            "POSTGRES_CONNECTION__PASSWORD_FILE": str(tmp_path / "binary"),
        },
    }
    scene.secrets.append(SIGNING_SECRET[:20])
    scene.said["settings"] = run(*CLI, "settings", **home, **good)
    scene.said["settings as JSON"] = run(*CLI, "settings", "--json", **home, **good)
    assert scene.said["settings"].startswith("0\n")
    assert "JWT__SECRET" in scene.said["settings"]
    for name, environment in faults.items():
        for who in ("api", "worker"):
            scene.said[f"{who}: {name}"] = run(*CLI, who, **home, **environment)
        scene.said[f"gunicorn: {name}"] = run(*BARE_API, **home, **environment)
    scene.assert_nothing_was_told()


def test_a_database_that_refuses_the_password_is_told_without_it(tmp_path: Path) -> None:
    scene = Scene()
    with refusing_server() as server:
        environment = {
            "ANICHRON_HOME": str(tmp_path),
            "POSTGRES_CONNECTION__HOST": "127.0.0.1",
            "POSTGRES_CONNECTION__PORT": str(server.port),
            "POSTGRES_CONNECTION__PASSWORD": DATABASE_PASSWORD,
        }
        for command in (("migrate",), ("users", "list"), ("storage", "list"), ("worker",)):
            said = scene.said[" ".join(command)] = run(*CLI, *command, **environment)
            assert "password authentication failed" in said
        users = run(
            *CLI, "users", "add", "bob", "b@x", ANICHRON_PASSWORD=USER_PASSWORD, **environment
        )
        scene.said["users add"] = users
        assert server.passwords
        assert set(server.passwords) == {DATABASE_PASSWORD.encode()}
    scene.assert_nothing_was_told()


def test_a_worker_tells_no_secret(database: PostgresAddress, tmp_path: Path) -> None:
    scene = Scene()
    environment = {
        **secret_settings(tmp_path),
        **connection_variables(as_role(database, "anichron_worker")),
        "PATH": os.environ["PATH"],
        "ANICHRON_HOME": str(tmp_path),
        "WORKER__PROXY_PATH": str(tmp_path),
        "QUEUE__SCHEDULE_SECONDS": "0.2",
        "QUEUE__POLL_SECONDS": "0.2",
    }
    log = tmp_path / "worker.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *CLI, "worker"],
            env=environment,
            cwd=ROOT,
            stdout=output,
            stderr=output,
        )
    try:
        eventually(lambda: "Succeeded" in log.read_text() or process.poll() is not None, 30)
        scene.said["command lines"] = command_lines(process.pid)
        process.terminate()
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait(10)
    scene.said["log"] = log.read_text()
    scene.assert_nothing_was_told()
