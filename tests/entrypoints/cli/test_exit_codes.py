"""Exit codes are one table, told in the guide and in the help."""

import re
from pathlib import Path

import pytest

from domain.errors import DatabaseUnavailable, InvalidInput, NotFound
from entrypoints.cli.api_client.faults import ApiFault, ApiRefused, ApiUnreachable
from entrypoints.cli.exit_codes import Exit, exit_of
from entrypoints.cli.main import EXIT_CODES
from tests.entrypoints.cli.command import run

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "operating.md"


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidInput("X", "no"), 2),
        (NotFound("no"), 2),
        (ApiFault("no"), 2),
        (OSError("no"), 2),
        (DatabaseUnavailable("away"), 3),
        (ApiUnreachable("away"), 3),
        (ApiRefused("no"), 4),
    ],
)
def test_an_outage_can_be_told_from_a_mistake(error: Exception, code: int) -> None:
    assert exit_of(error) == code


def test_the_guide_and_the_help_tell_every_code() -> None:
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", GUIDE.read_text(), re.MULTILINE)}
    assert told == {int(each) for each in Exit} == {0, 1, 2, 3, 4, 130}
    assert {int(code) for code in re.findall(r"\d+", EXIT_CODES)} == told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["work", "show", "nope"], "anichron work show: Invalid value for 'item_id'"),
        (["work", "list", "--status", "bogus"], "anichron work list: Invalid value for '--status'"),
        (["worker", "--bogus"], "anichron worker: No such option: --bogus"),
        (["users", "add"], "anichron users add: Missing argument"),
        (["bogus"], "anichron: No such command 'bogus'"),
    ],
)
def test_a_wrong_command_is_told_in_one_line(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert said in line


@pytest.mark.parametrize("arguments", [[], ["work"]])
def test_without_a_command_the_help_is_shown(arguments: list[str], tmp_path: Path) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert "Commands:" in done.stdout + done.stderr
    assert run(tmp_path, *arguments, "--help").returncode == 0
