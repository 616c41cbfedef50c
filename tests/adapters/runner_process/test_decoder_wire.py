"""What goes over a decoder's socket: whole, in bounds, and never waited for without an end."""

import os
import pickle
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.runner_process import decoder_wire
from adapters.runner_process.decoder_wire import (
    Answer,
    Develop,
    Raised,
    Read,
    Waiting,
    answer,
    answered,
    ask,
    asked,
)
from domain.library.media_type import MediaFormat
from domain.library.orientation import Orientation
from domain.library.proxy import Proxy, ProxyKind, Rendition
from domain.library.raw_metadata import RawMetadata

Ends = tuple[socket.socket, socket.socket]
TURNED = Orientation(90, is_mirrored=True)


@pytest.fixture
def ends() -> Iterator[Ends]:
    one, other = socket.socketpair()
    with one, other:
        yield one, other


@pytest.mark.parametrize("request_", [Read(MediaFormat.HEIC), Develop(MediaFormat.PNG, TURNED)])
def test_a_request_takes_its_open_file_along(
    ends: Ends, tmp_path: Path, request_: Read | Develop
) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"content")
    with path.open("rb") as file:
        ask(ends[0], request_, file.fileno())
        path.unlink()
        taken = asked(ends[1])
    assert taken is not None
    words, descriptor = taken
    assert words == request_
    with os.fdopen(descriptor, "rb") as ours:
        assert ours.read() == b"content"


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_request_opens_one_file_here_whatever_it_brings(ends: Ends, tmp_path: Path) -> None:
    with (tmp_path / "a.jpg").open("wb") as file:
        files = [file.fileno(), file.fileno()]
        socket.send_fds(ends[0], [pickle.dumps(Read(MediaFormat.JPEG))], files)
        before = open_files()
        taken = asked(ends[1])
        assert taken is not None
        assert open_files() == before + 1
        os.close(taken[1])


def test_a_runner_that_hung_up_asks_no_more(ends: Ends) -> None:
    ends[0].close()
    assert asked(ends[1]) is None


def test_nobody_is_there_to_be_asked(ends: Ends) -> None:
    ends[1].close()
    with pytest.raises(ConnectionError):
        ask(ends[0], Read(MediaFormat.JPEG), 0)


@pytest.mark.parametrize(
    "words",
    [
        Waiting(),
        RawMetadata(make=b"Maker"),
        Rendition(
            width=1,
            height=2,
            orientation=TURNED,
            proxies=(Proxy(kind=ProxyKind.PREVIEW, width=1, height=1, jpeg=bytes(3_000_000)),),
            blurhash="x",
        ),
    ],
)
def test_an_answer_arrives_whole(ends: Ends, words: Answer) -> None:
    sender = threading.Thread(target=answer, args=(ends[1], words), daemon=True)
    sender.start()
    assert answered(ends[0], 5) == words
    sender.join(5)


def test_an_answer_begins_with_its_length_in_four_bytes(ends: Ends) -> None:
    answer(ends[1], Raised(KeyError("x")))
    sent = ends[0].recv(1_000)
    assert sent[:4] == (len(sent) - 4).to_bytes(4, "big")
    assert isinstance(pickle.loads(sent[4:]), Raised)  # noqa: S301  # our own bytes


def test_two_answers_are_two(ends: Ends) -> None:
    answer(ends[1], Waiting())
    answer(ends[1], RawMetadata(make=b"Maker"))
    assert answered(ends[0], 5) == Waiting()
    assert answered(ends[0], 5) == RawMetadata(make=b"Maker")


def test_an_answer_ends_where_it_ends_however_it_comes(ends: Ends) -> None:
    first, second = (pickle.dumps(RawMetadata(make=make)) for make in (b"one", b"two"))
    sent = b"".join(len(each).to_bytes(4, "big") + each for each in (first, second))

    def send() -> None:
        ends[1].sendall(sent[:40])
        time.sleep(0.1)
        ends[1].sendall(sent[40:])

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    assert answered(ends[0], 5) == RawMetadata(make=b"one")
    assert answered(ends[0], 5) == RawMetadata(make=b"two")
    sender.join(5)


def test_a_process_that_is_gone_is_told_from_one_that_is_slow(ends: Ends) -> None:
    ends[1].sendall(b"\x00\x00\x00\x09half")
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        answered(ends[0], 0.2)
    assert 0.2 <= time.monotonic() - began < 2
    ends[1].sendall(b"\x00\x00\x00\x09half")
    ends[1].close()
    with pytest.raises(EOFError, match=r"^the process is gone$"):
        answered(ends[0], 5)


def test_bytes_that_drop_in_one_by_one_do_not_put_the_end_off(ends: Ends) -> None:
    stop = threading.Event()

    def drip() -> None:
        ends[1].sendall(b"\x00\x00\x10\x00")
        while not stop.wait(0.02):
            ends[1].sendall(b"x")

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    began = time.monotonic()
    with pytest.raises(TimeoutError):
        answered(ends[0], 0.3)
    assert 0.3 <= time.monotonic() - began < 2
    stop.set()
    thread.join(5)


def test_no_time_is_no_time_even_for_what_is_there(
    ends: Ends, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoder_wire, "monotonic", lambda: 100.0)
    answer(ends[1], Waiting())
    with pytest.raises(TimeoutError):
        answered(ends[0], 0)


@pytest.mark.parametrize(
    ("size", "said"),
    [(2**26 + 1, r"^an answer that no decoder gives$"), (2**26, r"^the process is gone$")],
)
def test_an_answer_of_more_than_64_mib_is_none(ends: Ends, size: int, said: str) -> None:
    """What a process says that was taken over: the memory is not for it to fill."""
    ends[1].sendall(size.to_bytes(4, "big"))
    ends[1].close()
    with pytest.raises(EOFError, match=said):
        answered(ends[0], 5)
