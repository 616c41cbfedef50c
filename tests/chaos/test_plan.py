"""The plan and the load: the same for the same seed, and harmful in the way that is meant."""

from itertools import pairwise

import pytest

from tests.chaos.check_hosts import SERVER_FAULTS
from tests.chaos.load import KEPT_SCOPES, RATE, Request, load
from tests.chaos.plan import ON_WORKERS, Fault, FaultKind, Phases, phases_of, plan

FIVE_MINUTES = phases_of(300)
SEEDS = range(200)


def faults_of(seed: int, phases: Phases = FIVE_MINUTES) -> tuple[Fault, ...]:
    return plan(seed, phases, workers=4, lease=3.0, kinds=set(FaultKind))


def load_of(seed: int) -> tuple[Request, ...]:
    return load(seed, FIVE_MINUTES, faults_of(seed))


def test_one_seed_makes_one_plan_and_one_load() -> None:
    assert faults_of(7) == faults_of(7) != faults_of(8)
    assert load_of(7) == load_of(7) != load_of(8)


def test_a_run_of_five_minutes_has_every_fault() -> None:
    for seed in SEEDS:
        assert {fault.kind for fault in faults_of(seed)} == set(FaultKind), seed


def test_all_harm_lies_between_the_windows_that_are_compared() -> None:
    for seed in SEEDS:
        for fault in faults_of(seed):
            assert fault.at >= FIVE_MINUTES.calm
            assert fault.until <= FIVE_MINUTES.harm_end


@pytest.mark.parametrize("seconds", [90, 150, 300, 900])
def test_the_phases_are_as_long_as_the_run_less_what_stands_around_it(seconds: float) -> None:
    phases = phases_of(seconds)
    assert phases.end == pytest.approx(seconds - 25)
    assert phases.harm > seconds / 4
    assert phases.settle >= 12


def test_the_server_has_one_fault_at_a_time_and_time_to_work_in_between() -> None:
    for seed in SEEDS:
        on_server = [fault for fault in faults_of(seed) if fault.kind in SERVER_FAULTS]
        for earlier, later in pairwise(on_server):
            assert later.at - earlier.until >= 8


def test_no_worker_is_hit_while_it_is_down() -> None:
    for seed in SEEDS:
        for number in range(4):
            hits = [
                fault
                for fault in faults_of(seed)
                if fault.kind in ON_WORKERS and fault.target == number
            ]
            assert all(later.at > earlier.until for earlier, later in pairwise(hits))


def test_a_frozen_worker_is_frozen_for_longer_than_its_lease() -> None:
    frozen = [f for seed in SEEDS for f in faults_of(seed) if f.kind is FaultKind.FREEZE]
    assert min(fault.seconds for fault in frozen) > 3.0
    assert {fault.variant for fault in frozen} == {True, False}


def test_only_every_second_worker_has_a_clock_that_moves() -> None:
    moved = [f for seed in SEEDS for f in faults_of(seed) if f.kind is FaultKind.CLOCK]
    assert {fault.target for fault in moved} == {1, 3}


def test_each_deletion_is_of_a_config_of_its_own() -> None:
    targets = [fault.target for fault in faults_of(1) if fault.kind is FaultKind.DELETION]
    assert targets == list(range(len(targets)))


def test_faults_that_are_not_wanted_do_not_happen() -> None:
    faults = plan(1, FIVE_MINUTES, workers=4, lease=3.0, kinds={FaultKind.KILL})
    assert {fault.kind for fault in faults} == {FaultKind.KILL}


def test_the_load_is_far_below_what_four_workers_can_do() -> None:
    for seed in SEEDS:
        busy = sum(request.seconds for request in load_of(seed))
        assert busy < 4 * FIVE_MINUTES.end / 2


def test_the_load_is_steady_while_it_is_compared() -> None:
    times = [request.at for request in load_of(3)]
    for begin, end in ((0, FIVE_MINUTES.calm), (FIVE_MINUTES.after_begin, FIVE_MINUTES.end)):
        asked = sum(1 for at in times if begin <= at < end)
        assert asked == pytest.approx(RATE * (end - begin), abs=1)


def test_a_config_is_asked_for_until_shortly_after_its_deletion() -> None:
    deletions = [fault.at for fault in faults_of(5) if fault.kind is FaultKind.DELETION]
    scoped = [each for each in load_of(5) if each.scope is not None and each.scope >= KEPT_SCOPES]
    late = 0
    for request in scoped:
        deletion = deletions[(request.scope or 0) - KEPT_SCOPES]
        assert request.at < deletion + 2
        late += request.at > deletion
    assert late > 0


def test_workers_are_busy_when_they_are_hit() -> None:
    hits = [fault for fault in faults_of(4) if fault.kind in ON_WORKERS]
    requests = load_of(4)
    long = [each for each in requests if each.is_long and each.key]
    for fault in hits:
        running = [each for each in long if each.at < fault.at < each.at + each.seconds]
        assert len(running) >= 3
        twins = {each.key for each in requests if fault.at < each.at < fault.at + 1}
        assert twins >= {each.key for each in running if each.at + 0.5 > fault.at}


def test_every_act_and_every_way_to_ask_is_in_the_load() -> None:
    requests = [request for seed in range(5) for request in load_of(seed)]
    assert {request.act for request in requests} == {
        "return",
        "work",
        "ignore",
        "raise",
        "die once",
        "die",
    }
    assert any(request.key for request in requests)
    assert any(request.cancel_after is not None for request in requests)
    assert any(request.scope is None for request in requests)
