"""The host's clock."""

from datetime import timedelta

from adapters.clock.system_clock import SystemClock


def test_the_instant_is_in_utc() -> None:
    assert SystemClock().now().utcoffset() == timedelta(0)
