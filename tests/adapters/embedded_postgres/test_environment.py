"""What the embedded server, which another account may run, is told of our environment."""

import shutil
import tempfile
from pathlib import Path

import pytest

from adapters.embedded_postgres.server import EmbeddedPostgres


@pytest.mark.process
def test_the_server_gets_no_variable_of_ours_but_those_it_needs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JWT__SECRET", "a signing secret of enough characters")
    base = Path(tempfile.mkdtemp(prefix="pg-"))
    base.chmod(0o755)
    server = EmbeddedPostgres(base=base, options=("fsync=off",))
    try:
        server.start()
        told = Path(f"/proc/{server.pid}/environ").read_bytes().split(b"\0")
        names = {each.partition(b"=")[0] for each in told if each}
        assert b"PATH" in names
        assert names <= {b"PATH", b"LANG", b"LC_ALL", b"TZ", b"LD_LIBRARY_PATH", b"LD_PRELOAD"} | {
            name for name in names if name.startswith((b"PG", b"LC_"))
        }
    finally:
        server.stop()
        shutil.rmtree(base, ignore_errors=True)
