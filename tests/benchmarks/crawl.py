"""`make bench-crawl`: how fast the crawl is, and what memory it takes."""

import argparse

from tests.benchmarks import decoder_memory, new_photos, recrawl
from tests.benchmarks.installation import installation
from tests.benchmarks.table import machine, show

PARTS = {
    "recrawl": recrawl.measure,
    "new-photos": new_photos.measure,
    "memory": decoder_memory.measure,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], help="all, unless some are named")
    parser.add_argument("--runs", type=int, default=7, help="of each thing that is compared")
    wanted = parser.parse_args()
    print(machine())
    with installation() as installed:
        rows = [
            row for name in wanted.parts or PARTS for row in PARTS[name](installed, wanted.runs)
        ]
    show(rows)


if __name__ == "__main__":
    main()
