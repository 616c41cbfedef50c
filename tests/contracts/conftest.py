import pytest

from tests.contracts.harness import InMemoryPorts, PostgresPorts, WorkPorts


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.postgres)])
def ports(request: pytest.FixtureRequest) -> WorkPorts:
    if request.param == "memory":
        return InMemoryPorts()
    return PostgresPorts(engine=request.getfixturevalue("engine"))
