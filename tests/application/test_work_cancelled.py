"""The exception by which a handler stops."""

from application.ports.work_context import WorkCancelled


def test_a_handler_that_stops_carries_its_partial_result() -> None:
    stopped = WorkCancelled({"n": 1})
    assert stopped.partial == {"n": 1}
    assert str(stopped) == "the work was cancelled"
    assert WorkCancelled().partial is None
