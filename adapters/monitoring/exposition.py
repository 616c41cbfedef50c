"""A registry of metrics for each host, and its text as Prometheus reads it."""

from importlib.metadata import version

from prometheus_client import (
    CollectorRegistry,
    Gauge,
    ProcessCollector,
    disable_created_metrics,
    exposition,
)

CONTENT_TYPE = exposition.CONTENT_TYPE_LATEST


def registry_of(host: str) -> CollectorRegistry:
    """A registry with what the process itself costs, and which release it is."""
    # When each series began: twice the series, for nobody.
    disable_created_metrics()  # type: ignore[no-untyped-call]
    registry = CollectorRegistry(auto_describe=True)
    ProcessCollector(registry=registry)
    build = Gauge(
        "anichron_build_info",
        "1, with the release and the host that it runs as",
        ["version", "host"],
        registry=registry,
    )
    build.labels(version("anichron"), host).set(1)
    return registry


def text_of(registry: CollectorRegistry) -> bytes:
    """All metrics now."""
    return exposition.generate_latest(registry)
