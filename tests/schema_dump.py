"""The schema as the migrations make it, as text; `make schema` writes it to docs/."""

import re
import subprocess

from adapters.embedded_postgres.binaries import find_bin_directory
from adapters.postgres.engine import PostgresAddress
from tests.postgres_server import TestServer, running_server

HEADER = """\
-- The schema of Anichron's database, made from the migrations by `make schema`; do not edit.
-- A test holds this file to the migrations.

"""
# What depends on the server's and the client's version, and on the session.
NOISE = re.compile(
    r"^(?:--.*|SET .*|SELECT pg_catalog\.set_config.*|\\(?:un)?restrict .*)\n", re.MULTILINE
)


def dump_schema(address: PostgresAddress) -> str:
    """pg_dump's account of the schema, without the noise."""
    dumped = subprocess.run(
        [
            *(find_bin_directory() / "pg_dump", "--schema-only", "--no-owner"),
            *("--no-privileges", "--dbname", address.conninfo()),
        ],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    without_noise = NOISE.sub("", dumped)
    return HEADER + re.sub(r"\n{3,}", "\n\n", without_noise).strip() + "\n"


def main() -> None:
    with running_server() as server:
        server.prepare_template()
        with server.database() as address:
            print(dump_schema(address), end="")


def major_version(server: TestServer) -> int:
    import psycopg

    with psycopg.connect(server.address.conninfo()) as connection:
        return connection.info.server_version // 10_000


if __name__ == "__main__":
    main()
