"""The plot: claim latency against history and against others' backlogs. Needs matplotlib alone."""

import json
import re
import sys
from pathlib import Path
from typing import Any

Point = tuple[str, float, float]
HISTORY = re.compile(r"claim p99 with (\d+) M finished items")
FOREIGN = re.compile(r"claim p99, (\d+) M foreign items in front, (\d+) scopes")
EMPTY = "empty table beside"


def history(values: dict[str, float]) -> list[tuple[float, float]]:
    """(millions of finished items, ms), the empty table first."""
    found = [
        (float(m[1]), value) for name, value in values.items() if (m := HISTORY.fullmatch(name))
    ]
    empty = [
        value for name, value in values.items() if name.startswith(EMPTY) and "finished" in name
    ]
    return [(0.0, sum(empty) / len(empty)), *sorted(found)]


def foreign(values: dict[str, float]) -> list[Point]:
    """(scopes, ms with an empty table, ms behind the backlog); 0 where it was not measured."""
    points = []
    for name, value in values.items():
        if match := FOREIGN.fullmatch(name):
            empty = values.get(name.replace("claim p99", EMPTY), 0.0)
            points.append((match[2], empty, value))
    return points


def main() -> None:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "the same drawing for the same figures"
    from matplotlib import pyplot as plt

    source, target = (Path(each) for each in sys.argv[1:3])
    values = {each["name"]: each["value"] for each in json.loads(source.read_text())}
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    _history(left, history(values))
    _foreign(right, foreign(values))
    figure.savefig(target, metadata={"Date": None})


def _history(axes: Any, points: list[tuple[float, float]]) -> None:
    axes.plot(*zip(*points, strict=True), marker="o")
    axes.set(xlabel="millions of finished items", ylabel="claim p99, ms", title="Behind history")
    axes.set_ylim(bottom=0)


def _foreign(axes: Any, points: list[Point]) -> None:
    places = range(len(points))
    axes.bar([p - 0.2 for p in places], [empty for _, empty, _ in points], 0.4, label="empty table")
    label = "behind 1 M items of other scopes"
    axes.bar([p + 0.2 for p in places], [full for _, _, full in points], 0.4, label=label)
    axes.set_xticks(list(places), [f"{scopes} scopes" for scopes, _, _ in points])
    axes.set(ylabel="claim p99, ms", title="Behind other scopes")
    axes.legend()


if __name__ == "__main__":
    main()
