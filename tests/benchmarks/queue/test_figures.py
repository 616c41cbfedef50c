"""Sums and tables of the benchmark."""

import json
from pathlib import Path

import pytest

from tests.benchmarks.queue import drawing
from tests.benchmarks.queue.figures import at_least, at_most, percentile, plain
from tests.benchmarks.queue.report import write


@pytest.mark.parametrize(
    ("part", "expected"), [(0.5, 50), (0.95, 95), (0.99, 99), (1.0, 100), (0.0, 1)]
)
def test_a_percentile_is_the_value_that_so_many_do_not_exceed(part: float, expected: int) -> None:
    assert percentile(range(100, 0, -1), part) == expected


def test_a_figure_says_whether_its_target_is_reached() -> None:
    assert at_most("p99", 3.0, "ms", 1.5, 1.5).reached
    assert not at_most("p99", 3.0, "ms", 1.6, 1.5).reached
    assert at_least("rate", 900, "a second", 0.5, 0.5).reached
    assert not at_least("rate", 900, "a second", 0.49, 0.5).reached


def test_both_files_hold_the_same_figures(tmp_path: Path) -> None:
    parts = {
        "Claims": [plain("empty", 0.4, "ms"), at_most("crowded", 0.9, "ms", 2.25, 2)],
        "Start": [at_most("ready", 2.5, "s", 2.5, 3)],
    }
    write(parts, "## Notes\n", tmp_path)
    document = json.loads((tmp_path / "performance.json").read_text())
    taken_on = {name: document[1].pop(name) for name in ("machine", "date", "versions")}
    assert all(taken_on.values())
    assert document[1] == {
        "name": "crowded",
        "value": 0.9,
        "unit": "ms",
        "ratio": 2.25,
        "target": "<= 2",
        "reached": False,
    }
    text = (tmp_path / "performance.md").read_text()
    assert "| crowded | 0.9 ms | 2.25 | <= 2 | **no** |" in text
    assert "## Start" in text
    assert text.endswith("## Notes\n")


def test_the_plot_finds_its_figures_by_their_names() -> None:
    values = {
        "empty table beside with 1 M finished items": 0.5,
        "claim p99 with 1 M finished items": 0.6,
        "empty table beside with 5 M finished items": 0.7,
        "claim p99 with 5 M finished items": 0.8,
        "empty table beside, 1 M foreign items in front, 10 scopes": 0.4,
        "claim p99, 1 M foreign items in front, 10 scopes": 0.9,
    }
    assert drawing.history(values) == [(0.0, 0.6), (1.0, 0.6), (5.0, 0.8)]
    assert drawing.foreign(values) == [("10", 0.4, 0.9)]
