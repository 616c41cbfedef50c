"""PgBouncer in transaction mode before a test's server (Debian's package; TEST_POOLER=1)."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from adapters.postgres.engine import PostgresAddress

POOLER_PORT = 6432
SESSIONS = 5
USERS = ("anichron", "anichron_api", "anichron_worker", "postgres")
PASSWORD = "for tests"  # of servers on loopback that hold nothing


@contextmanager
def pooler_before(server: PostgresAddress) -> Iterator[Path]:
    """The directory of its socket."""
    directory = Path(tempfile.mkdtemp(prefix="pgb-"))
    users = "".join(f'"{user}" "{PASSWORD}"\n' for user in {*USERS, server.user})
    (directory / "users").write_text(users)
    (directory / "pgbouncer.ini").write_text(
        f"""
[databases]
* = host={server.host} port={server.port}
[pgbouncer]
listen_addr =
listen_port = {POOLER_PORT}
unix_socket_dir = {directory}
auth_type = trust
auth_file = {directory}/users
pool_mode = transaction
default_pool_size = {SESSIONS}
max_client_conn = 2000
server_login_retry = 1
logfile = {directory}/log
"""
    )
    account = _account(server) if os.geteuid() == 0 else None
    if account:
        for path in (directory, *directory.iterdir()):
            os.chown(path, account.pw_uid, account.pw_gid)
        directory.chmod(0o755)
    process = subprocess.Popen(
        ["pgbouncer", "-q", str(directory / "pgbouncer.ini")],
        user=account and account.pw_uid,
        group=account and account.pw_gid,
        extra_groups=[] if account else None,
    )
    try:
        _wait(directory)
        yield directory
    finally:
        process.terminate()
        process.wait(10)
        shutil.rmtree(directory, ignore_errors=True)


def _account(server: PostgresAddress) -> pwd.struct_passwd:
    """Not root, which PgBouncer refuses; whom the server's socket directory lets in."""
    if server.host.startswith("/"):
        return pwd.getpwuid(Path(server.host).stat().st_uid)
    return pwd.getpwnam("nobody")


def _wait(directory: Path) -> None:
    end = time.monotonic() + 20
    while True:
        try:
            psycopg.connect(
                host=str(directory), port=POOLER_PORT, dbname="postgres", user="anichron"
            ).close()
        except psycopg.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return
