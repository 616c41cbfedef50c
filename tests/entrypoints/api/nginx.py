"""Debian's nginx before the API, as it is without any setting for streams."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.entrypoints.api.running_host import free_port

CONFIGURATION = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{behind};
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        }}
    }}
}}
"""


@contextmanager
def nginx_before(behind: int, folder: Path, port: int | None = None) -> Iterator[int]:
    """The port that it listens on; ends with the block, and cuts what is open."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/bin")
    if program is None:
        pytest.skip("nginx is not installed")
    listens = port or free_port()
    (folder / "nginx.conf").write_text(
        CONFIGURATION.format(folder=folder, port=listens, behind=behind)
    )
    process = subprocess.Popen([program, "-p", folder, "-c", folder / "nginx.conf"])
    try:
        _wait_until_it_passes_on(listens, process)
        yield listens
    finally:
        process.terminate()
        process.wait(10)


def _wait_until_it_passes_on(port: int, process: subprocess.Popen[bytes]) -> None:
    limit = time.monotonic() + 10
    while time.monotonic() < limit and process.poll() is None:
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", "/api/v1/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.05)
    raise AssertionError("nginx did not start")
