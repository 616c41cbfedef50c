"""Readiness is the database's."""

import pytest

from application.ports.readiness import SchemaNotCurrent
from application.use_cases.check_readiness import CheckReadiness
from domain.errors import DatabaseUnavailable, DomainError
from tests.fakes.readiness import InMemoryReadiness


def test_a_database_in_order_is_ready() -> None:
    readiness = InMemoryReadiness()
    CheckReadiness(readiness=readiness)()
    assert readiness.checked == 1


@pytest.mark.parametrize("trouble", [DatabaseUnavailable("away"), SchemaNotCurrent(None, "0003")])
def test_a_database_in_trouble_is_not(trouble: DomainError) -> None:
    with pytest.raises(type(trouble)):
        CheckReadiness(readiness=InMemoryReadiness(trouble))()
