"""What the database may say to an outcome has a name that the Worker knows."""

from collections.abc import Callable

import pytest
from sqlalchemy import Engine, text

from application.ports.work_item_execution import OutcomeRefused, OutcomeUnstorable
from domain.errors import DatabaseUnavailable, DomainError
from domain.work.attempt import AttemptTag
from domain.work.outcome import Succeeded
from domain.work.progress import NO_PROGRESS
from tests.contracts.harness import PostgresPorts, claim_request

pytestmark = pytest.mark.postgres
REFUSE = """
CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '{state}'; END $$;
CREATE TRIGGER refuse BEFORE UPDATE ON work_items FOR EACH ROW EXECUTE FUNCTION refuse();
"""


def finish(ports: PostgresPorts, tag: AttemptTag) -> object:
    return ports.execution.finish(tag, Succeeded({}), NO_PROGRESS)


def release(ports: PostgresPorts, tag: AttemptTag) -> object:
    return ports.execution.release(tag, None)


def recover_dead(ports: PostgresPorts, tag: AttemptTag) -> object:
    return ports.execution.recover_dead(tag, stall_limit=3)


def finish_and_claim(ports: PostgresPorts, tag: AttemptTag) -> object:
    return ports.execution.finish_and_claim(tag, Succeeded({}), NO_PROGRESS, claim_request())


@pytest.mark.parametrize("write", [finish, finish_and_claim, release, recover_dead])
@pytest.mark.parametrize(
    ("state", "named"),
    [
        ("22023", OutcomeUnstorable),
        ("P0001", OutcomeRefused),
        ("XX000", OutcomeRefused),
        ("42501", OutcomeRefused),
        ("57014", DatabaseUnavailable),
    ],
)
def test_every_refusal_has_a_name(
    engine: Engine,
    state: str,
    named: type[DomainError],
    write: Callable[[PostgresPorts, AttemptTag], object],
) -> None:
    ports = PostgresPorts(engine=engine)
    ports.enqueue()
    tag = ports.claimed()
    with engine.begin() as connection:
        connection.execute(text(REFUSE.format(state=state)))
    with pytest.raises(named):
        write(ports, tag)
