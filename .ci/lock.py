"""Pin every dependency with its hashes, naming no registry. `--check` only compares."""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
UV = Path(sys.executable).parent / "uv"
LOCKS = {"requirements.lock": [], "requirements-dev.lock": ["--group", "dev"]}
OPTIONS = (
    *("--universal", "--python-version", "3.11", "--generate-hashes", "--quiet"),
    *("--no-emit-index-url", "--no-header", "--no-annotate"),
)


def main() -> int:
    check = "--check" in sys.argv[1:]
    stale = [name for name, groups in LOCKS.items() if not _is_current(name, groups, check)]
    if stale:
        print(f"out of date: {', '.join(stale)}; run `make lock`")
    return 1 if stale else 0


def _is_current(name: str, groups: list[str], check: bool) -> bool:
    lock = ROOT / name
    if not check:
        _compile(lock, groups)
        return True
    with tempfile.TemporaryDirectory() as folder:
        # Starting from the lock keeps its versions: only what pyproject.toml asks for counts.
        fresh = Path(folder) / name
        fresh.write_bytes(lock.read_bytes())
        _compile(fresh, groups)
        return fresh.read_bytes() == lock.read_bytes()


def _compile(lock: Path, groups: list[str]) -> None:
    command = [UV, "pip", "compile", "pyproject.toml", *groups, *OPTIONS, "-o", lock]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300)


if __name__ == "__main__":
    sys.exit(main())
