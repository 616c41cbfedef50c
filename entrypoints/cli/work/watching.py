"""Follows the queue: lists, then takes what the stream brings, and goes on after it broke."""

import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from entrypoints.cli.api_client.event_stream import ServerEvent
from entrypoints.cli.api_client.faults import ApiUnreachable
from entrypoints.cli.work.hearing import MUTE, Hearing
from entrypoints.cli.work.queue_client import MOST_ENTRIES, Item, QueueClient
from entrypoints.cli.work.watched import Watched

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 15.0


class Screen(Protocol):
    """Shows what is watched."""

    @abstractmethod
    def listed(self, watched: Watched) -> None:
        """All of it is known anew."""

    @abstractmethod
    def changed(self, watched: Watched, event: ServerEvent, item: Item | None) -> None:
        """An event came, which was about this item or about none that is shown."""

    @abstractmethod
    def lost(self, reason: str) -> None:
        """The API or its database is away; it is tried again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watching:
    client: QueueClient
    watched: Watched
    screen: Screen
    sleep: Callable[[float], None] = time.sleep
    hearing: Hearing = field(default_factory=Hearing)

    def __call__(self) -> None:
        """For ever; ApiRefused when the user may not watch any more."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                self._follow()
                pause = FIRST_PAUSE_SECONDS  # a stream ends with the token that opened it
            except ApiUnreachable as error:
                self.screen.lost(str(error))
                self.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)

    def _follow(self) -> None:
        if self.watched.must_list:
            page = self.client.page(self.watched.which, size=self.watched.most)
            self.watched.start(page, running=self._running(), lease=self.client.lease())
            self.screen.listed(self.watched)
        with self.client.events(self.watched.cursor) as events:
            self.hearing.begin()
            for event in events:
                if self.hearing.falls_silent(None if event is None else event.name):
                    self.screen.lost(MUTE)
                if event is None:
                    continue
                item = self.watched.take(event)
                if self.watched.must_list:
                    return
                self.screen.changed(self.watched, event, item)

    def _running(self) -> Sequence[Item]:
        """What runs may have been asked for before all that is on the first page."""
        which = self.watched.which.running()
        items: Sequence[Item] = self.client.page(which, size=MOST_ENTRIES)["items"] if which else ()
        return items
