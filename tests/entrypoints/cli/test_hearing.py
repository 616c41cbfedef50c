"""A stream that goes on while the API has lost its database."""

from dataclasses import dataclass, field

from entrypoints.cli.work.hearing import Hearing


@dataclass
class Stage:
    seconds: float = 1_000.0
    hearing: Hearing = field(init=False)

    def __post_init__(self) -> None:
        self.hearing = Hearing(now=lambda: self.seconds)
        self.hearing.begin()

    def after(self, seconds: float, name: str | None) -> bool:
        """Whether it is told of a silence when this comes so many seconds later."""
        self.seconds += seconds
        return self.hearing.falls_silent(name)


def test_a_silence_is_told_once_and_the_next_one_again() -> None:
    stage = Stage()
    assert not any(stage.after(2, "leases") for _ in range(5))
    assert [stage.after(5, None) for _ in range(5)] == [False, False, True, False, False]
    assert not stage.after(2, "leases")
    assert [stage.after(5, None) for _ in range(3)] == [False, False, True]


def test_what_is_told_of_items_is_no_look_at_the_database() -> None:
    stage = Stage()
    assert [stage.after(2, "leases"), stage.after(2, "leases")] == [False, False]
    assert [stage.after(6, "work-item"), stage.after(5, "work-item")] == [False, True]


def test_an_api_that_looks_seldom_is_waited_for_three_times_as_long() -> None:
    stage = Stage()
    assert [stage.after(20, "leases"), stage.after(20, "leases")] == [False, False]
    assert [stage.after(60, None), stage.after(1, None)] == [False, True]


def test_before_it_is_known_how_often_the_api_looks_there_is_time() -> None:
    stage = Stage()
    assert [stage.after(15, None), stage.after(15, None), stage.after(1, None)] == [
        *(False, False, True),
    ]


def test_a_new_stream_has_its_time_and_an_old_silence_is_not_told_again() -> None:
    stage = Stage()
    assert not any(stage.after(2, "leases") for _ in range(2))
    stage.seconds += 600  # the API was away
    stage.hearing.begin()
    assert [stage.after(9, None), stage.after(2, None)] == [False, True]
    stage.hearing.begin()
    assert not stage.after(600, None)
