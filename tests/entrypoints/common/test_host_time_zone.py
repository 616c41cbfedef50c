"""The host's time zone."""

from pathlib import Path

import pytest

from entrypoints.common.host_time_zone import host_time_zone


@pytest.fixture
def berlin(tmp_path: Path) -> Path:
    (tmp_path / "localtime").symlink_to("/usr/share/zoneinfo/Europe/Berlin")
    return tmp_path / "localtime"


@pytest.mark.parametrize(
    ("variable", "expected"),
    [
        ("Asia/Tokyo", "Asia/Tokyo"),
        (":Asia/Tokyo", "Asia/Tokyo"),
        ("", "Europe/Berlin"),
        ("CET-1CEST", "Europe/Berlin"),
    ],
)
def test_tz_comes_before_localtime(
    berlin: Path, monkeypatch: pytest.MonkeyPatch, variable: str, expected: str
) -> None:
    monkeypatch.setenv("TZ", variable)
    assert host_time_zone(berlin) == expected


def test_a_host_without_either_is_in_utc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TZ", raising=False)
    assert host_time_zone(tmp_path / "absent") == "UTC"
