"""The checker: every promise held against what happened. Pure."""

from collections.abc import Sequence
from itertools import chain, islice

from tests.chaos.check_ending import ending_breaks
from tests.chaos.check_hosts import hosts_break
from tests.chaos.check_items import items_break
from tests.chaos.check_order import order_breaks
from tests.chaos.check_pace import pace_breaks
from tests.chaos.history import Breach, Ending, History

MOST = 10


def breaches_so_far(history: History) -> Sequence[Breach]:
    """What is wrong already, while the run goes on; the first few."""
    return list(islice(_any_time(history), MOST))


def breaches_at_end(ending: Ending) -> Sequence[Breach]:
    """All that is wrong; the first few."""
    return list(islice(chain(_any_time(ending), ending_breaks(ending)), MOST))


def _any_time(history: History) -> chain[Breach]:
    return chain(
        items_break(history),
        order_breaks(history),
        pace_breaks(history),
        hosts_break(history),
    )
