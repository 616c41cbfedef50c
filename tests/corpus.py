"""The corpus of odd files beside the repository; tests that need it skip where it is missing."""

import csv
from pathlib import Path

import pytest

CORPUS = Path(__file__).resolve().parents[2] / "shared" / "corpus"

needs_corpus = pytest.mark.skipif(
    not (CORPUS / "manifest.csv").exists(),
    reason="the corpus (../shared/corpus beside the repository) is not here",
)


def manifest() -> list[dict[str, str]]:
    with (CORPUS / "manifest.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
