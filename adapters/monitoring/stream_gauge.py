"""How many clients follow the queue live."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Gauge


def watch_streams(registry: CollectorRegistry, count: Callable[[], int]) -> None:
    """Ask for the number whenever the metrics are read."""
    gauge = Gauge("anichron_streams_open", "Live streams that are open", registry=registry)
    gauge.set_function(count)
