"""The secret that signs access tokens."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from domain.errors import InvalidInput
from entrypoints.common.jwt_secret import jwt_secret
from entrypoints.common.settings import JwtSettings, Settings

LONG = "a secret of more than thirty-two characters"


def settings(home: Path, **jwt: object) -> Settings:
    return Settings(anichron_home=home, jwt=JwtSettings.model_validate(jwt))


def test_a_given_secret_is_used(tmp_path: Path) -> None:
    assert jwt_secret(settings(tmp_path, secret=LONG)) == LONG
    assert list(tmp_path.iterdir()) == []


def test_a_secret_is_read_from_the_file_that_is_named(tmp_path: Path) -> None:
    (tmp_path / "given").write_text(LONG + "\n")
    assert jwt_secret(settings(tmp_path, secret_file=tmp_path / "given")) == LONG


def test_the_first_run_makes_a_secret_and_later_ones_keep_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    secret = jwt_secret(settings(home))
    assert len(secret) >= 43
    assert jwt_secret(settings(home)) == secret
    assert stat.S_IMODE((home / "jwt-secret").stat().st_mode) == 0o600
    assert [path.name for path in home.iterdir()] == ["jwt-secret"]


def test_hosts_that_start_at_once_agree(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as threads:
        found = set(threads.map(jwt_secret, [settings(tmp_path)] * 64))
    assert len(found) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["jwt-secret"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "the secret must have at least 32 characters"),
        (b"too short", "the secret must have at least 32 characters"),
        (b"\xff" * 64, "/.*/given cannot be read: it is no text"),
    ],
)
def test_a_file_without_a_good_secret_stops_the_start(
    tmp_path: Path, content: bytes, why: str
) -> None:
    (tmp_path / "given").write_bytes(content)
    with pytest.raises(InvalidInput, match=f"^JWT__SECRET_FILE: {why}$"):
        jwt_secret(settings(tmp_path, secret_file=tmp_path / "given"))


def test_an_absent_file_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"^JWT__SECRET_FILE: .*/absent cannot be read: No such"):
        jwt_secret(settings(tmp_path, secret_file=tmp_path / "absent"))


def test_a_home_that_cannot_be_made_stops_the_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match=r"^ANICHRON_HOME: the file jwt-secret can't be made"):
        jwt_secret(settings(tmp_path / "file" / "home"))
