"""The stopwatch that runs on while the machine sleeps."""

from pathlib import Path

from adapters.clock.boot_stopwatch import BootStopwatch


def test_it_counts_from_the_boot() -> None:
    """The kernel counts the time asleep into its uptime."""
    before, after = uptime(), BootStopwatch().elapsed()
    assert before - 0.01 <= after <= uptime() + 0.01


def uptime() -> float:
    return float(Path("/proc/uptime").read_text().split()[0])
