"""`anichron up`, `api` and `worker`: the processes themselves."""

import os
import sys

import typer

from entrypoints.cli.listening import PATIENCE_SECONDS, check_listening
from entrypoints.cli.up import up as run_all
from entrypoints.common.settings import Settings


def up() -> None:
    """Run everything on this machine: database, API and Worker.

    Example: LIBRARY=~/Pictures anichron up
    """
    run_all(Settings())


def api() -> None:
    """Run the API host in the foreground.

    Example: PORT=8080 anichron api
    """
    # What is wrong is one line here, and would be a traceback inside the server.
    check_listening(Settings(), PATIENCE_SECONDS)
    sys.stdout.flush()
    arguments = ["-m", "gunicorn", "--config", "python:entrypoints.api.gunicorn_conf"]
    os.execv(sys.executable, [sys.executable, *arguments])  # noqa: S606  # our own interpreter


def worker() -> int:
    """Run a Worker in the foreground.

    Example: WORKER__USER=anna anichron worker
    """
    from entrypoints.worker.main import run_worker

    raise typer.Exit(run_worker(Settings()))
