"""The Workers as an admin sees them."""

from dataclasses import dataclass, field

from typing_extensions import override

from application.ports.worker_directory import WorkerDirectory, WorkersSeen
from application.use_cases.read_workers import ReadWorkers
from tests.fakes.clock import HandMovedClock


@dataclass
class Asked(WorkerDirectory):
    most: list[int] = field(default_factory=list)

    @override
    def seen(self, most: int) -> WorkersSeen:
        self.most.append(most)
        return WorkersSeen(workers=[], server_time=HandMovedClock()())


def test_at_most_two_hundred_are_read() -> None:
    directory = Asked()
    assert ReadWorkers(directory=directory)().workers == []
    assert directory.most == [200]
