"""The fuzzer itself: it repeats what it did, and notices what it is there to notice."""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from typing_extensions import override

from domain.library.media_type import MediaFormat
from tests.crawl.pictures import encode
from tests.fuzz.mutations import MUTATIONS, mutant
from tests.fuzz.pool import MAKERS, Pool, WholeFile, digest
from tests.fuzz.probe import Probe, Told
from tests.fuzz.run import Campaign

POOL: Pool = {
    MediaFormat.JPEG: [WholeFile("a.jpg", encode()), WholeFile("b.jpg", encode((1, 2, 3)))],
    MediaFormat.GIF: [WholeFile("c.gif", encode(kind="GIF"))],
}


@pytest.fixture
def wicked() -> Iterator[Probe]:
    command = (sys.executable, "-m", "tests.fuzz.bad_child")
    probe = Probe(command=command, limit_seconds=3, limit_megabytes=60)
    yield probe
    probe.close()


def put(folder: Path, word: bytes) -> Path:
    path = folder / "x.jpg"
    path.write_bytes(encode() + word)
    return path


def test_whatever_a_decoder_must_not_do_is_a_finding(wicked: Probe, tmp_path: Path) -> None:
    for word, finding in (
        (b"CRASH", "ended the process: SIGSEGV"),
        (b"EXIT", "ended the process: status 3"),
        (b"HANG", "took longer than 3 s"),
        (b"GROW", "took over 60 MB"),
    ):
        told = Told(finding, is_finding=True, is_about_time=word == b"HANG")
        assert wicked(put(tmp_path, word)) == told
        assert wicked(put(tmp_path, b"")) == Told("ingested")
    raised = wicked(put(tmp_path, b"RAISE"))
    assert raised.is_finding
    assert raised.outcome.endswith("LookupError: nobody expects this\n")


def test_a_death_after_the_answer_is_a_finding_too(wicked: Probe, tmp_path: Path) -> None:
    assert wicked(put(tmp_path, b"LATER")) == Told("ingested")
    time.sleep(1)
    assert wicked(put(tmp_path, b"")) == Told("ended the process: status 4", is_finding=True)


def test_what_the_ports_name_is_no_finding(wicked: Probe, tmp_path: Path) -> None:
    path = put(tmp_path, b"")
    for content, outcome in (
        (path.read_bytes()[:300], "damaged"),
        (b"no picture", "not an image"),
        (encode(kind="PNG"), "ingested"),
    ):
        path.write_bytes(content)
        assert wicked(path) == Told(outcome)


def test_a_finding_is_told_with_its_seed_and_kept(wicked: Probe, tmp_path: Path) -> None:
    killer = {MediaFormat.JPEG: [WholeFile("k.jpg", encode() + b"CRASH" * 200)]}
    campaign = Campaign(killer, tmp_path, iter(()))
    seed = next(
        seed
        for seed in range(100)
        if b"CRASH" in (content := mutant(seed, killer).content)
        and content.startswith(b"\xff\xd8\xff")
    )
    campaign.try_one(mutant(seed, killer), wicked)
    kept = tmp_path / f"{seed}.jpg"
    assert kept.read_bytes() == mutant(seed, killer).content
    assert campaign.found == [
        f"FINDING seed {seed} (k.jpg), kept as {kept}:\nended the process: SIGSEGV"
    ]
    assert campaign.counts["jpeg"]["FINDING"] == 1


@dataclass
class Dawdler(Probe):
    """Takes too long, as many times as it is told."""

    times: int = 0

    @override
    def __call__(self, path: Path) -> Told:
        self.times -= 1
        late = self.times >= 0
        return Told("took longer than 3 s" if late else "ingested", late, late)


@pytest.mark.parametrize(("times", "findings"), [(0, 0), (1, 0), (2, 1)])
def test_only_what_takes_too_long_twice_is_a_finding(
    tmp_path: Path, times: int, findings: int
) -> None:
    campaign = Campaign(POOL, tmp_path, iter(()))
    campaign.try_one(mutant(1, POOL), Dawdler(times=times))
    assert len(campaign.found) == findings
    assert len(list(tmp_path.iterdir())) == findings


def test_one_seed_makes_one_file() -> None:
    first, second = ([mutant(seed, POOL) for seed in range(200)] for _ in range(2))
    assert first == second
    assert len({each.content for each in first}) > 190


def test_every_kind_of_damage_damages() -> None:
    from random import Random

    for mutate in MUTATIONS:
        whole = encode()
        damaged = [bytearray(whole) for _ in range(20)]
        for seed, content in enumerate(damaged):
            mutate(content, Random(seed), POOL)  # noqa: S311
        assert any(content != whole for content in damaged), mutate


def test_there_is_a_file_of_every_format_and_the_digest_knows_them() -> None:
    assert MAKERS.keys() == set(MediaFormat)
    for makers in MAKERS.values():
        for make in makers.values():
            assert make() == make()
    other = {**POOL, MediaFormat.GIF: [WholeFile("c.gif", encode(kind="GIF") + b"\0")]}
    assert digest(POOL) == digest(dict(POOL)) != digest(other)
