"""What a wrong schema is told as."""

import pytest

from application.ports.readiness import SchemaNotCurrent


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ("0001", "the schema is at 0001; this release needs 0003"),
        (None, "the schema is at no revision; this release needs 0003"),
    ],
)
def test_both_revisions_are_named(found: str | None, message: str) -> None:
    assert str(SchemaNotCurrent(found, "0003")) == message
