#!/bin/sh
# A container image with this machine's Python, pip and C library, to build ours on where no
# registry is to be asked. Usage: base_image.sh PYTHON TAG
set -eu
python=$1 tag=$2
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root"/bin "$root"/etc "$root"/proc "$root"/sys "$root"/dev "$root"/run "$root"/usr/bin \
    "$root"/usr/local/bin "$root"/var/lib "$root"/root
mkdir -m 1777 "$root"/tmp
cp "$(command -v busybox)" "$root"/bin/busybox
for applet in sh ls cat id mkdir chown chmod rm cp mv ln sleep grep test ps kill env echo tar uname; do
    ln -s busybox "$root/bin/$applet"
done
printf 'root:x:0:0::/root:/bin/sh\nanichron:x:1000:1000::/var/lib/anichron:/bin/sh\n' > "$root"/etc/passwd
printf 'root:x:0:\nanichron:x:1000:\n' > "$root"/etc/group

"$python" - "$root" << 'COPY'
"""The interpreter, its library and pip, each where it is here."""
import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

root = Path(sys.argv[1])
base = Path(sys.base_prefix)
library = Path(sysconfig.get_path("stdlib", vars={"installed_base": str(base), "base": str(base)}))
interpreter = Path(os.path.realpath(sys._base_executable))
skipped = shutil.ignore_patterns(
    "__pycache__", "test", "tests", "idlelib", "tkinter", "turtledemo", "site-packages",
    "dist-packages", "config-*", "EXTERNALLY-MANAGED", "*.a",
)


def inside(path: Path) -> Path:
    return root / str(path).lstrip("/")


inside(interpreter).parent.mkdir(parents=True, exist_ok=True)
shutil.copy(interpreter, inside(interpreter))
shutil.copytree(library, inside(library), ignore=skipped, dirs_exist_ok=True)
for name in ("python3", "python"):
    (root / "usr/local/bin" / name).symlink_to(interpreter)
found = subprocess.run(
    [interpreter, "-c", "import importlib.util as u; print(u.find_spec('pip').submodule_search_locations[0])"],
    capture_output=True, text=True, check=True,
)
pip = Path(found.stdout.strip())
shutil.copytree(pip, inside(pip), ignore=shutil.ignore_patterns("__pycache__"))
objects = [interpreter, *library.glob("lib-dynload/*.so")]
needed = subprocess.run(["ldd", *objects], capture_output=True, text=True, check=False).stdout
libraries = {part for part in needed.split() if part.startswith("/") and not part.endswith(":")}
# What wheels for Linux may take for granted.
cache = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
for name in ("libstdc++.so.6", "libgcc_s.so.1", "libz.so.1", "libm.so.6", "libdl.so.2", "librt.so.1",
             "libpthread.so.0", "libresolv.so.2", "libnss_dns.so.2", "libnss_files.so.2", "libexpat.so.1",
             "libutil.so.1", "libatomic.so.1", "libmvec.so.1", "libanl.so.1"):
    lines = [line for line in cache.splitlines() if line.split()[:1] == [name]]
    if lines:
        libraries.add(lines[0].split()[-1])
for each in libraries:
    inside(Path(each)).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(each, inside(Path(each)))
COPY
printf 'hosts: files dns\n' > "$root"/etc/nsswitch.conf
# The libraries of other folders than the linker's own are found by its cache.
cp /sbin/ldconfig "$root"/tmp/ldconfig 2> /dev/null || true
cp -r /etc/ld.so.conf /etc/ld.so.conf.d "$root"/etc/ 2> /dev/null || true
/sbin/ldconfig -r "$root" 2> /dev/null || true
rm -f "$root"/tmp/ldconfig
tar -C "$root" -c . | docker import --change 'ENV PATH=/usr/local/bin:/usr/bin:/bin' - "$tag" > /dev/null
echo "made the image $tag"
