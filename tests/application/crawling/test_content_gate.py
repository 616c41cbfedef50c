"""One thread at a time works on one content."""

import threading

import pytest

from application.crawling.content_gate import ContentGate
from domain.library.signature import Content

ONE, OTHER = Content(1, "a"), Content(1, "b")


def entered_within(gate: ContentGate, content: Content, seconds: float) -> threading.Event:
    entered = threading.Event()

    def enter() -> None:
        with gate.only(content):
            entered.set()

    threading.Thread(target=enter, daemon=True).start()
    entered.wait(seconds)
    return entered


def test_another_content_passes_and_the_same_one_waits() -> None:
    gate = ContentGate()
    with gate.only(ONE):
        assert entered_within(gate, OTHER, 5).is_set()
        waiting = entered_within(gate, ONE, 0.2)
        assert not waiting.is_set()
    assert waiting.wait(5)


def test_an_error_inside_opens_the_gate_again() -> None:
    gate = ContentGate()
    with pytest.raises(KeyError), gate.only(ONE):
        raise KeyError
    assert entered_within(gate, ONE, 5).is_set()
