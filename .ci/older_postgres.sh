#!/usr/bin/env bash
# Runs a command with TEST_DATABASE_URL leading to Debian's own PostgreSQL, started for it alone.
set -euo pipefail
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
base=$(mktemp -d)
chown postgres "$base"
chmod 755 "$base"
as_postgres() { runuser -u postgres -- "$@"; }
stop() {
    as_postgres "$bin/pg_ctl" -D "$base/data" -m immediate -w stop > /dev/null 2>&1 || true
    rm -rf "$base"
}
trap stop EXIT
as_postgres "$bin/initdb" -D "$base/data" -U anichron --auth=trust --encoding=UTF8 --locale=C.UTF-8 > /dev/null
cat >> "$base/data/postgresql.conf" << CONFIGURATION
listen_addresses = ''
unix_socket_directories = '$base'
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 200
CONFIGURATION
as_postgres "$bin/pg_ctl" -D "$base/data" -l "$base/log" -w -t 60 start > /dev/null
"$bin/postgres" --version
export TEST_DATABASE_URL="postgresql://anichron@/postgres?host=$base&port=5432" TEST_PG_SOURCE=TEST_DATABASE_URL
"$@"
