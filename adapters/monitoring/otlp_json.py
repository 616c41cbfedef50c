"""Delivers spans as OTLP over HTTP in JSON, which every collector takes."""

import json
import logging
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from typing_extensions import override

logger = logging.getLogger(__name__)
INTERNAL = 1
STATUS_CODES = {"UNSET": 0, "OK": 1, "ERROR": 2}


class OtlpJsonExporter(SpanExporter):
    """A collector that is away costs spans and one line of the log, never work."""

    def __init__(self, endpoint: str, timeout_seconds: float) -> None:
        self._endpoint = endpoint
        self._timeout = timeout_seconds
        self._was_away = False

    @override
    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        request = urllib.request.Request(  # noqa: S310  # the setting takes http and https alone
            self._endpoint,
            data=json.dumps(_document(spans)).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            urllib.request.urlopen(request, timeout=self._timeout).close()  # noqa: S310
        except (OSError, ValueError) as error:
            if not self._was_away:
                logger.warning("spans are lost: %s does not take them: %s", self._endpoint, error)
            self._was_away = True
            return SpanExportResult.FAILURE
        self._was_away = False
        return SpanExportResult.SUCCESS


def _document(spans: Sequence[ReadableSpan]) -> dict[str, Any]:
    resource = spans[0].resource.attributes if spans else {}
    shown = [_span(span) for span in spans]
    scope = {"scope": {"name": "anichron"}, "spans": shown}
    return {
        "resourceSpans": [
            {"resource": {"attributes": _attributes(resource)}, "scopeSpans": [scope]}
        ]
    }


def _span(span: ReadableSpan) -> dict[str, Any]:
    context = span.context
    return {
        "traceId": format(context.trace_id if context else 0, "032x"),
        "spanId": format(context.span_id if context else 0, "016x"),
        **({"parentSpanId": format(span.parent.span_id, "016x")} if span.parent else {}),
        "name": span.name,
        "kind": INTERNAL,
        "startTimeUnixNano": str(span.start_time or 0),
        "endTimeUnixNano": str(span.end_time or 0),
        "attributes": _attributes(span.attributes or {}),
        "status": {"code": STATUS_CODES[span.status.status_code.name]},
    }


def _attributes(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"key": key, "value": _value(value)} for key, value in given.items()]


def _value(value: object) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case _:
            return {"stringValue": str(value)}
