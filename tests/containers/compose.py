"""Runs compose.yaml as an operator does, with images that were made here."""

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.entrypoints.api.running_host import free_port

ROOT = Path(__file__).resolve().parents[2]
IMAGE = os.environ.get("TEST_IMAGE", "")
POSTGRES = os.environ.get("TEST_PG_IMAGE", "")
PASSWORD = "the first admin's own"


@dataclass(frozen=True, kw_only=True)
class Installation:
    """`project` keeps its containers apart from others on the same engine."""

    project: str
    port: int
    environment: dict[str, str]
    files: tuple[str, ...] = ("compose.yaml",)

    def compose(self, *arguments: str, limit: float = 120) -> str:
        files = [part for name in self.files for part in ("-f", str(ROOT / name))]
        return self._run("docker-compose", "-p", self.project, *files, *arguments, limit=limit)

    def anichron(self, *arguments: str) -> str:
        """A command with the owner's rights."""
        options = ("run", "--rm", "-T", "-e", f"ANICHRON_PASSWORD={PASSWORD}", "migrate")
        return self.compose(*options, *arguments)

    def sql(self, query: str) -> str:
        psql = ("psql", "-h", "127.0.0.1", "-U", "anichron", "-d", "anichron", "-Atc", query)
        secret = f"PGPASSWORD={self.environment['DATABASE_PASSWORD']}"
        return self.compose("exec", "-T", "-e", secret, "database", *psql).strip()

    def health(self, service: str) -> str:
        container = self.compose("ps", "-q", service).strip()
        state = self._run("docker", "inspect", "-f", "{{json .State}}", container)
        found: str = json.loads(state)["Health"]["Status"]
        return found

    def exit_code(self, service: str) -> int:
        container = self.compose("ps", "-q", service).strip()
        return int(self._run("docker", "inspect", "-f", "{{.State.ExitCode}}", container))

    def _run(self, *command: str, limit: float = 60) -> str:
        done = subprocess.run(
            command,
            env={**os.environ, **self.environment},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=limit,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout


def installation_of(folder: Path, *files: str) -> Installation:
    """One that does not run yet."""
    port = free_port()
    return Installation(
        project=f"anichron-{os.getpid()}",
        port=port,
        files=("compose.yaml", *files),
        environment={
            "ANICHRON_IMAGE": IMAGE,
            "POSTGRES_IMAGE": POSTGRES,
            "DATABASE_PASSWORD": "of-the-owner",
            "API_DATABASE_PASSWORD": "of-the-api",
            "WORKER_DATABASE_PASSWORD": "of-the-worker",
            "JWT_SECRET": "a secret for tests of over 32 bytes",
            "ORIGINALS": str(folder / "originals"),
            "PROXIES": str(folder / "proxies"),
            "PORT": str(port),
        },
    )


@contextmanager
def installation(folder: Path, *files: str) -> Iterator[Installation]:
    """One to start; `files` come on top of compose.yaml.

    Whatever runs of it is told of and taken down at the end.
    """
    for name in ("originals", "proxies"):
        (folder / name).mkdir()
    os.chown(folder / "proxies", 1000, 1000)
    here = installation_of(folder, *files)
    try:
        yield here
    finally:
        print(here.compose("logs", "--no-color"))
        here.compose("down", "-v", "-t", "5")
