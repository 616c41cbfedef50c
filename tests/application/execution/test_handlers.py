"""The registry, and what a run of a handler is reported as."""

import errno
from collections.abc import Callable
from typing import Any, Literal
from uuid import UUID

import pytest
from typing_extensions import override

from application.execution.handlers import HandlerRegistry, IncompleteRegistry
from application.execution.run_handler import InvalidResult, RunHandler, checked_result, message_of
from application.payloads import Payload, kind_of, payload_classes
from application.ports.runner import Assignment, Interrupted, Raised, Returned, Stopped
from application.ports.work_context import Result, WorkCancelled, WorkContext
from domain.errors import DatabaseLost, DatabaseUnavailable, DomainError
from domain.work.attempt import AttemptTag, ClaimLost
from domain.work.kind import WorkKind
from tests.fakes.work_context import InMemoryCancellation, InMemoryProgress


class APayload(Payload):
    kind: Literal["A"] = "A"
    number: int = 0


class BPayload(Payload):
    kind: Literal["B"] = "B"


def nothing(payload: Any, context: WorkContext) -> Result:  # noqa: ARG001
    return {}


TAG = AttemptTag(item_id=UUID(int=1), attempt=2)
CONTEXT = WorkContext(tag=TAG, progress=InMemoryProgress(), cancellation=InMemoryCancellation())
BOTH: list[tuple[str, type[Payload]]] = [("A", APayload), ("B", BPayload)]


def test_every_kind_with_one_payload_and_one_handler_is_complete() -> None:
    registry = HandlerRegistry(["B", "A"], BOTH, [("A", nothing), ("B", nothing)])
    assert registry.kinds() == ["A", "B"]
    entry = registry.of("A")
    assert entry is not None
    assert (entry.payload, entry.handler) == (APayload, nothing)
    assert registry.of("C") is None


@pytest.mark.parametrize(
    ("payloads", "handlers", "complaint"),
    [
        (BOTH, [("A", nothing)], "B has 0 handlers instead of one"),
        (BOTH[:1], [("A", nothing), ("B", nothing)], "B has 0 payloads instead of one"),
        (
            BOTH,
            [("A", nothing), ("A", nothing), ("B", nothing)],
            "A has 2 handlers instead of one",
        ),
        ([*BOTH, BOTH[1]], [("A", nothing), ("B", nothing)], "B has 2 payloads instead of one"),
        (
            BOTH,
            [("A", nothing), ("B", nothing), ("C", nothing)],
            "C has a handler but is no kind",
        ),
        (
            [],
            [],
            (
                "A has 0 payloads instead of one; B has 0 payloads instead of one; "
                "A has 0 handlers instead of one; B has 0 handlers instead of one"
            ),
        ),
    ],
)
def test_what_is_missing_or_too_much_is_named(
    payloads: list[tuple[str, type[Payload]]],
    handlers: list[tuple[str, Any]],
    complaint: str,
) -> None:
    with pytest.raises(IncompleteRegistry) as refused:
        HandlerRegistry(["A", "B"], payloads, handlers)
    assert str(refused.value) == f"the kinds of work are not complete: {complaint}"


def test_every_kind_of_the_product_has_one_payload_that_declares_it() -> None:
    assert [kind for kind, _ in payload_classes()] == ["TokenCleanup", "WorkItemRetention", "Crawl"]
    assert {kind_of(payload) for _, payload in payload_classes()} == set(WorkKind)


# ---------------------------------------------------------------- one run


def run(handler: Callable[..., Any], payload: dict[str, object] | None = None) -> object:
    registry = HandlerRegistry(["A"], BOTH[:1], [("A", handler)])
    assignment = Assignment(tag=TAG, kind="A", payload=payload or {"kind": "A"})
    return RunHandler(registry=registry, roots=["/data/originals"])(assignment, CONTEXT)


def raising(error: BaseException) -> Callable[..., Result]:
    def handler(payload: object, context: WorkContext) -> Result:  # noqa: ARG001
        raise error

    return handler


def test_the_handler_gets_the_typed_payload_and_its_context() -> None:
    seen = []

    def handler(payload: APayload, context: WorkContext) -> Result:
        seen.append((payload, context))
        return {"n": payload.number}

    assert run(handler, {"kind": "A", "number": 3}) == Returned({"n": 3})
    assert seen == [(APayload(number=3), CONTEXT)]


@pytest.mark.parametrize("payload", [{"kind": "A", "gained": 1}, {"kind": "A", "number": "x"}])
def test_a_payload_that_no_longer_validates_is_the_items_error(payload: dict[str, object]) -> None:
    report = run(nothing, payload)
    assert isinstance(report, Raised)
    assert report.error.startswith("ValidationError: 1 validation error for APayload")


def test_a_kind_without_a_handler_is_the_items_error() -> None:
    registry = HandlerRegistry(["A"], BOTH[:1], [("A", nothing)])
    assignment = Assignment(tag=TAG, kind="Z", payload={})
    assert RunHandler(registry=registry, roots=[])(assignment, CONTEXT) == Raised(
        "DomainError: no handler for the kind Z"
    )


@pytest.mark.parametrize(
    ("error", "described"),
    [
        (ValueError("no"), "ValueError: no"),
        (ValueError(), "ValueError"),
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "/data/x y.jpg"),
            "FileNotFoundError: [Errno 2] No such file or directory",
        ),
        (OSError("odd /data/originals/Anna and Ben/x"), "OSError: odd <path>"),
        (ValueError("at /data/originals/Anna and Ben/x"), "ValueError: at <path>"),
    ],
)
def test_whatever_the_handler_raises_is_reported_without_paths(
    error: BaseException, described: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert run(raising(error)) == Raised(described)
    [record] = caplog.records
    assert (record.levelname, record.getMessage()) == ("ERROR", "the handler raised")
    assert record.exc_info is not None
    assert record.exc_info[1] is error
    assert (record.__dict__["item_id"], record.__dict__["attempt"]) == (UUID(int=1), 2)


def test_a_fault_that_has_a_name_is_a_warning_that_says_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    error = DomainError("odd /data/originals/Anna and Ben/x")
    assert run(raising(error)) == Raised("DomainError: odd <path>")
    [record] = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage() == "the handler raised DomainError: odd <path>"
    assert record.exc_info is not None
    assert record.exc_info[1] is error
    assert (record.__dict__["item_id"], record.__dict__["attempt"]) == (UUID(int=1), 2)


def test_a_handler_that_lost_the_database_has_nothing_to_say_of_its_work(
    caplog: pytest.LogCaptureFixture,
) -> None:
    error = DatabaseLost("it did not answer")
    assert run(raising(error)) == Interrupted()
    [record] = caplog.records
    assert (record.levelname, record.getMessage()) == ("WARNING", "the handler lost the database")
    assert record.exc_info is not None
    assert record.exc_info[1] is error
    assert (record.__dict__["item_id"], record.__dict__["attempt"]) == (TAG.item_id, 2)


def test_a_database_that_only_refuses_is_the_items_end() -> None:
    error = DatabaseUnavailable("it did not answer")
    assert run(raising(error)) == Raised("DatabaseUnavailable: it did not answer")


def test_a_handler_whose_claim_is_lost_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    assert run(raising(ClaimLost(TAG))) == Raised(
        f"ClaimLost: attempt 2 of work item {TAG.item_id} was fenced off"
    )
    [record] = caplog.records
    assert (record.levelname, record.exc_info) == ("INFO", None)
    assert record.getMessage() == "the handler's claim was lost"
    assert (record.__dict__["item_id"], record.__dict__["attempt"]) == (TAG.item_id, 2)


def test_an_exception_whose_message_cannot_be_read_is_its_type() -> None:
    class Broken(Exception):
        @override
        def __str__(self) -> str:
            raise RuntimeError

    assert message_of(Broken()) == ""
    assert run(raising(Broken())) == Raised("Broken")


@pytest.mark.parametrize("partial", [None, {"n": 1}])
def test_stopping_when_told_to_is_reported_with_the_partial_result(
    partial: Result | None,
) -> None:
    assert run(raising(WorkCancelled(partial))) == Stopped(partial)


def test_a_partial_result_that_cannot_be_kept_fails_the_item() -> None:
    report = run(raising(WorkCancelled({"x": "y" * 300_000})))
    assert isinstance(report, Raised)
    assert report.error.startswith("InvalidResult: the result has 300009 bytes")


def test_a_result_is_cleaned_and_measured_as_json() -> None:
    assert checked_result({"a\0": ("x",)}) == {"a\N{REPLACEMENT CHARACTER}": ["x"]}
    room = 256 * 1024 - len('{"x": ""}')
    assert checked_result({"x": "y" * room}) == {"x": "y" * room}
    with pytest.raises(InvalidResult) as refused:
        checked_result({"x": "y" * (room + 1)})
    assert str(refused.value) == "the result has 262145 bytes; at most 262144 are kept"
    assert checked_result({"x": "ä" * (room // 2)}) is not None
    assert checked_result(_deep(32)) == _deep(32)


def _deep(levels: int) -> dict[str, object]:
    value: dict[str, object] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("result", "complaint"),
    [
        (None, "the result is a NoneType and not an object"),
        ([1], "the result is a list and not an object"),
        ({"x": object()}, "the result is not JSON (TypeError)"),
        ({"x": float("nan")}, "the result is not JSON (ValueError)"),
        (_deep(33), "the result is nested more than 32 levels deep"),
        (_deep(5_000), "the result is nested more than 32 levels deep"),
    ],
)
def test_a_result_that_is_no_json_object_is_refused(result: object, complaint: str) -> None:
    with pytest.raises(InvalidResult) as refused:
        checked_result(result)
    assert str(refused.value) == complaint
    assert run(lambda payload, context: result) == Raised(  # noqa: ARG005
        f"InvalidResult: {complaint}"
    )
