"""Every mutant of the rules is killed by the unit tests, or listed with a reason: at most 2 %.

mutmut exits 0 with survivors and does not notice changed tests, hence the clean start and this. It
leaves decorated functions alone, so it gets a copy of the tree in which nothing says `@override`.
"""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = Path(sys.executable).parent / "mutmut"
LOG = ROOT / "mutmut.log"
TREE = ROOT / "mutants"
COPIED = ("domain", "application", "adapters", "entrypoints", "migrations", "tests")
OVERRIDE = re.compile(r"^ *@override\n", re.MULTILINE)
STATISTICS = TREE / "mutants" / "mutmut-cicd-stats.json"
LISTED = ROOT / "tests" / "mutants.txt"
MOST_LISTED = 0.02
LIMIT_SECONDS = 30 * 60
KILLED = ("killed", "timeout", "caught by type check")


def main() -> int:
    copy_tree()
    with LOG.open("w") as log:
        run = subprocess.run(
            [PROGRAM, "run"],
            cwd=TREE,
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
            timeout=LIMIT_SECONDS,
        )
    if run.returncode != 0:
        print(LOG.read_text(errors="replace")[-4_000:])
        return 2
    total = total_mutants()
    alive = set(survivors())
    listed = set(reasons())
    failures = [f"alive: {name}" for name in sorted(alive - listed)]
    failures += [f"listed, but killed or gone: {name}" for name in sorted(listed - alive)]
    failures += [f"only_mutate names what is not there: {pattern}" for pattern in unmatched()]
    if total == 0:
        failures.append("there were no mutants at all")
    if len(listed) > MOST_LISTED * total:
        failures.append(f"{len(listed)} of {total} listed; at most 2 % may be")
    print(f"mutation: {total - len(alive)} of {total} killed, {len(listed)} listed")
    print(*failures, sep="\n")
    return 1 if failures else 0


def copy_tree() -> None:
    """What mutmut works on: the same code, in which nothing hides from it."""
    shutil.rmtree(TREE, ignore_errors=True)
    TREE.mkdir()
    shutil.copy(ROOT / "pyproject.toml", TREE)
    for name in COPIED:
        shutil.copytree(ROOT / name, TREE / name, ignore=shutil.ignore_patterns("__pycache__"))
    for source in TREE.rglob("*.py"):
        source.write_text(OVERRIDE.sub("", source.read_text()))


def total_mutants() -> int:
    subprocess.run(
        [PROGRAM, "export-cicd-stats"], cwd=TREE, check=True, stdout=subprocess.DEVNULL, timeout=120
    )
    total: int = json.loads(STATISTICS.read_text())["total"]
    return total


def survivors() -> list[str]:
    """Names of the mutants whose fate is anything but death."""
    shown = subprocess.run(
        [PROGRAM, "results"],
        cwd=TREE,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout
    pairs = [line.strip().rpartition(": ") for line in shown.splitlines() if ": " in line]
    return [name for name, _, fate in pairs if fate not in KILLED]


def unmatched() -> list[str]:
    """Patterns of no file: one that was renamed would leave the gate in silence."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mutmut"]
    return [each for each in settings["only_mutate"] if not any(ROOT.glob(each))]


def reasons() -> dict[str, str]:
    """The mutants that cannot be killed: `name  reason` a line."""
    lines = LISTED.read_text().splitlines() if LISTED.exists() else []
    found = dict(line.split(maxsplit=1) for line in lines if line and not line.startswith("#"))
    bare = [name for name, reason in found.items() if not reason.strip()]
    if bare:
        raise SystemExit(f"no reason is given for {', '.join(bare)}")
    return found


if __name__ == "__main__":
    sys.exit(main())
