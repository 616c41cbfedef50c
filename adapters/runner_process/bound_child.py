"""What every process of a Worker does first: it ends with the one that started it."""

import ctypes
import os
import signal
import sys
from pathlib import Path

PR_SET_PDEATHSIG = 1


def end_with(parent: int, oom_score: int) -> None:
    """Be killed when the thread that started us ends; only the parent decides when we stop.

    Out of memory, the kernel takes the process with the highest score (0 to 1,000).
    """
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit("the process that started this one is gone")
    for ignored in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ignored, signal.SIG_IGN)
    Path("/proc/self/oom_score_adj").write_text(str(oom_score))
