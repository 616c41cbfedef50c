"""Seconds since boot, time asleep included: a suspended Worker must notice that its lease ended."""

import time

from typing_extensions import override

from application.ports.stopwatch import Stopwatch


class BootStopwatch(Stopwatch):
    @override
    def elapsed(self) -> float:
        return time.clock_gettime(time.CLOCK_BOOTTIME)
