"""What must hold of the hosts at any time: what the API answers, and which processes end."""

from collections.abc import Iterator, Sequence

from tests.chaos.history import ApiAnswer, Breach, FaultRecord, History, HostExit
from tests.chaos.plan import FaultKind

API_FAULTS = frozenset({FaultKind.API_KILL, FaultKind.API_STOP})
SERVER_FAULTS = frozenset(
    {
        FaultKind.BACKENDS,
        FaultKind.RESTART,
        FaultKind.SILENCE,
        FaultKind.READ_ONLY,
        FaultKind.EXHAUSTION,
    }
)
_SLACK_SECONDS = 2.0
_UNAVAILABLE = 503


def hosts_break(history: History) -> Iterator[Breach]:
    for answer in history.answers:
        yield from _answer(answer, history)
    for ended in history.exits:
        yield from _exit(ended, history)
    for line in history.noise:
        yield Breach(rule="nothing of it reaches a log as an error", what=line)


def _answer(answer: ApiAnswer, history: History) -> Iterator[Breach]:
    """503 with Retry-After or no error of the server's; an answer in time, unless the API died."""
    took = answer.ended - answer.began
    told = f"{answer.what}: {answer.status or answer.reason} after {took:.1f} s"
    if answer.status is None:
        if not _during(history.faults, API_FAULTS, answer.began, answer.ended):
            yield Breach(rule="the API answers", what=told)
        return
    if answer.status >= 500 and answer.status != _UNAVAILABLE:
        yield Breach(rule="no error of the server's but 503", what=told)
    if answer.status == _UNAVAILABLE and not answer.retry_after:
        yield Breach(rule="a 503 says when to come again", what=told)
    if took > history.limits.answer:
        yield Breach(rule="the API answers in time", what=told)


def _exit(ended: HostExit, history: History) -> Iterator[Breach]:
    """No host ends unless it was told to or killed; one told to ends with 0 and in time."""
    told = f"{ended.host} ended with status {ended.status}; its log is {ended.log}"
    if ended.told is None or ended.told_at is None:
        # Without its database no Worker starts: whoever supervises it starts it again.
        away = _during(history.faults, SERVER_FAULTS, ended.at - _SLACK_SECONDS, ended.at)
        if ended.was_ready or not away:
            yield Breach(rule="no host dies", what=told)
        return
    if ended.told in {FaultKind.STOP, FaultKind.API_STOP}:
        if ended.status != 0 and ended.was_ready:
            yield Breach(rule="a host that is told to stop exits with 0", what=told)
        took = ended.at - ended.told_at
        if ended.told is FaultKind.STOP and took > history.limits.exit:
            what = f"{told}; it took {took:.1f} s"
            yield Breach(rule="a host that is told to stop does so in time", what=what)


def _during(
    faults: Sequence[FaultRecord], kinds: frozenset[FaultKind], begin: float, end: float
) -> bool:
    return any(fault.kind in kinds and fault.covers(begin, end, _SLACK_SECONDS) for fault in faults)
