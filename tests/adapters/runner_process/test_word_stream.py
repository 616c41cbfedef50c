"""Words arrive whole, however their bytes come, and half a word keeps nobody waiting."""

import pickle
import socket
import threading
import time
from collections.abc import Iterator

import pytest

from adapters.runner_process.word_stream import WordStream, say

Ends = tuple[socket.socket, socket.socket]


@pytest.fixture
def ends() -> Iterator[Ends]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def bytes_of(words: object) -> bytes:
    content = pickle.dumps(words)
    return len(content).to_bytes(4, "big") + content


def test_a_word_is_its_length_in_four_bytes_and_its_pickle(ends: Ends) -> None:
    say(ends[0], {"a": [1, 2]})
    assert ends[1].recv(1_000) == bytes_of({"a": [1, 2]})


def test_words_that_came_together_are_several(ends: Ends) -> None:
    ours, theirs = ends
    for words in ("one", ("two",), None):
        say(theirs, words)
    assert list(WordStream(ours).arrived()) == ["one", ("two",), None]


def test_half_a_word_waits_for_its_other_half_and_keeps_nobody(ends: Ends) -> None:
    ours, theirs = ends
    stream, content = WordStream(ours), bytes_of("x" * 100)
    for part in (content[:2], content[2:50], content[50:-1]):
        theirs.send(part)
        began = time.monotonic()
        assert list(stream.arrived()) == []
        assert time.monotonic() - began < 5
    theirs.send(content[-1:] + bytes_of("next"))
    assert list(stream.arrived()) == ["x" * 100, "next"]


def test_a_word_larger_than_the_socket_holds_arrives(ends: Ends) -> None:
    ours, theirs = ends
    large = b"y" * 3_000_000
    sender = threading.Thread(target=say, args=(theirs, large))
    sender.start()
    stream, heard = WordStream(ours), list[object]()
    end = time.monotonic() + 30
    while not heard and time.monotonic() < end:
        heard += stream.arrived()
    sender.join(30)
    assert heard == [large]


def test_all_that_was_said_is_heard_before_the_end(ends: Ends) -> None:
    """More than is read at once, and less than the socket holds."""
    ours, theirs = ends
    many = [str(number) * 1_000 for number in range(100, 130)]
    for words in many:
        say(theirs, words)
    theirs.close()
    heard: list[object] = []
    with pytest.raises(EOFError):
        heard.extend(WordStream(ours).arrived())
    assert heard == many


def test_the_next_word_is_waited_for_and_the_end_is_told(ends: Ends) -> None:
    ours, theirs = ends
    stream = WordStream(ours)
    threading.Timer(0.05, say, (theirs, "late")).start()
    assert stream.next() == "late"
    say(theirs, "one")
    say(theirs, "two")
    theirs.close()
    assert [stream.next(), stream.next()] == ["one", "two"]
    with pytest.raises(EOFError):
        stream.next()


def test_nobody_is_there_to_be_told(ends: Ends) -> None:
    ours, theirs = ends
    theirs.close()
    with pytest.raises(OSError, match="Broken pipe"):
        say(ours, "x" * 1_000_000)
