import pytest

from tests.contracts.accounts_ports import AccountsPorts, in_memory, in_postgres
from tests.contracts.harness import InMemoryPorts, PostgresPorts, WorkPorts

IMPLEMENTATIONS = ["memory", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.fixture(params=IMPLEMENTATIONS)
def ports(request: pytest.FixtureRequest) -> WorkPorts:
    if request.param == "memory":
        return InMemoryPorts()
    return PostgresPorts(
        engine=request.getfixturevalue("engine"),
        api=request.getfixturevalue("api_engine"),
        worker=request.getfixturevalue("worker_engine"),
    )


@pytest.fixture(params=IMPLEMENTATIONS)
def accounts(request: pytest.FixtureRequest) -> AccountsPorts:
    """The same tests hold the doubles and the database to the same promises."""
    if request.param == "memory":
        return in_memory()
    return in_postgres(request.getfixturevalue("api_engine"))
