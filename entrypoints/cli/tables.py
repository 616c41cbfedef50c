"""Tables and the terminal that they are printed on."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

PIPED_WIDTH = 200


def terminal() -> Console:
    """Standard output; what is piped elsewhere is not cut to the width of a terminal."""
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    return console


def table_of(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """Plain columns under their heads; ids are never broken over two lines."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for head in heads:
        table.add_column(head, no_wrap=head == "ID", overflow="fold")
    for row in rows:
        table.add_row(*row)
    return table
