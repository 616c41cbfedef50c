"""What a line of the log says of a fault."""

import json
import logging
from collections.abc import Iterator
from uuid import UUID

import pytest

from domain.errors import DatabaseUnavailable
from entrypoints.common.log_context import LogContext
from entrypoints.common.logging import configure_logging
from entrypoints.common.settings import Settings


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    root = logging.getLogger()
    before, level = root.handlers, root.level
    yield
    root.handlers, root.level = before, level


def an_outage() -> DatabaseUnavailable:
    error = DatabaseUnavailable("the database did not answer as it should")
    error.__cause__ = ConnectionError("connection to server failed:\n\tConnection refused")
    return error


def said(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    line: dict[str, str] = json.loads(capsys.readouterr().err)
    return line


def test_an_outage_is_one_line_with_what_the_database_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logging(Settings(log_format="json"), host="worker")
    error = an_outage()
    logging.getLogger("x").warning("cannot claim: %s", error, exc_info=error)
    line = said(capsys)
    assert line["event"] == "cannot claim: the database did not answer as it should"
    assert line["cause"] == "connection to server failed: Connection refused"
    assert "exception" not in line


def test_a_warning_about_what_has_no_name_keeps_its_traceback(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logging(Settings(log_format="json"), host="worker")
    logging.getLogger("x").warning("odd", exc_info=ValueError("no"))
    assert "ValueError: no" in said(capsys)["exception"]


def test_an_error_keeps_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(Settings(log_format="json"), host="worker")
    logging.getLogger("x").error("broken", exc_info=an_outage())
    assert "ConnectionError" in said(capsys)["exception"]


ITEM = UUID("0198c0de-0000-7000-8000-000000000001")
OTHER = UUID("0198c0de-0000-7000-8000-000000000002")
ABOUT = ("item_id", "kind", "attempt", "worker")


def told_while_an_item_runs(
    capsys: pytest.CaptureFixture[str], context: LogContext, **extra: object
) -> list[object]:
    configure_logging(Settings(log_format="json"), host="worker", context=context)
    with context.running(item_id=ITEM, kind="Crawl", attempt=3):
        logging.getLogger("x").warning("something", extra=extra)
    line: dict[str, object] = json.loads(capsys.readouterr().err)
    return [line.get(name) for name in ABOUT]


def test_while_an_item_runs_every_line_names_it(capsys: pytest.CaptureFixture[str]) -> None:
    context = LogContext(worker="all@here")
    expected = [str(ITEM), "Crawl", 3, "all@here"]
    assert told_while_an_item_runs(capsys, context) == expected
    assert told_while_an_item_runs(capsys, context, item_id=ITEM) == expected
    logging.getLogger("x").warning("after it")
    line = json.loads(capsys.readouterr().err)
    assert [line.get(name) for name in ABOUT] == [None, None, None, "all@here"]


def test_a_line_about_another_item_keeps_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    context = LogContext(worker="all@here")
    told = told_while_an_item_runs(capsys, context, item_id=OTHER, attempt=1)
    assert told == [str(OTHER), None, 1, "all@here"]


def test_a_thread_that_serves_no_item_speaks_of_none(capsys: pytest.CaptureFixture[str]) -> None:
    context = LogContext(worker="all@here", threads={"heartbeat"})
    assert told_while_an_item_runs(capsys, context) == [None, None, None, "all@here"]
    told = told_while_an_item_runs(capsys, context, item_id=ITEM)
    assert told == [str(ITEM), "Crawl", 3, "all@here"]
