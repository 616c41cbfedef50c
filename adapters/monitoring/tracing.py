"""Spans, where somebody asks for them: without an endpoint nothing of it is even loaded."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

SERVICE = "anichron"


def create_tracer(endpoint: str | None, timeout_seconds: float, host: str) -> Tracer | None:
    """None where no endpoint is set. Spans go out in the background, and what waits at the end."""
    if endpoint is None:
        return None
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    from adapters.monitoring.otlp_json import OtlpJsonExporter

    about = {"service.name": f"{SERVICE}-{host}", "service.version": version(SERVICE)}
    provider = TracerProvider(resource=Resource.create(about))
    exporter = OtlpJsonExporter(endpoint, timeout_seconds)
    provider.add_span_processor(BatchSpanProcessor(exporter, schedule_delay_millis=1_000))
    return provider.get_tracer(SERVICE)
