"""What a line of the log says of a fault."""

import json
import logging
from collections.abc import Iterator

import pytest

from domain.errors import DatabaseUnavailable
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
