"""Looks at the folders of originals and of proxies as this user, on this machine."""

import os
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from entrypoints.cli.doctor.finding import Check, Finding, ok, wrong

LOOK_SECONDS = 10.0
"""A dead network disk answers never."""


def originals(root: Path, look: Callable[[Path], str | None] | None = None) -> Finding:
    """Whether the folder above all originals can be read."""
    fault = (look or reading_fault)(root)
    if fault is None:
        return ok(Check.ORIGINALS, f"{root} can be read")
    advice = "mount the originals there, or set WORKER__ROOT to where they are"
    return wrong(Check.ORIGINALS, f"{root}: {fault}", advice)


def folders(root: Path, registered: Sequence[str]) -> Finding:
    """Whether every active folder lies below the root and can be read."""
    faults = [fault for path in registered if (fault := _folder_fault(root, Path(path)))]
    if not faults:
        return ok(Check.FOLDERS, f"{len(registered)} active, all can be read")
    advice = "mount it here (a Worker for everyone needs all), or deactivate it with `storage`"
    return wrong(Check.FOLDERS, "; ".join(faults), advice)


def proxies(path: Path) -> Finding:
    """Whether a Worker could write here."""
    fault = within_limit(lambda: _writing_fault(path))
    if fault is None:
        return ok(Check.PROXIES, f"{path} can be written")
    advice = "make the folder writable for the Worker's user, or set WORKER__PROXY_PATH"
    return wrong(Check.PROXIES, f"{path}: {fault}", advice)


def reading_fault(path: Path) -> str | None:
    """Why the folder can't be listed; None where it can."""
    return within_limit(lambda: _listing_fault(path))


def within_limit(look: Callable[[], str | None], seconds: float = LOOK_SECONDS) -> str | None:
    """The look's own answer, or that none came in time."""
    answers: list[str | None] = []
    thread = threading.Thread(target=lambda: answers.append(look()), daemon=True)
    thread.start()
    thread.join(seconds)
    return answers[0] if answers else f"the disk does not answer within {seconds:g} s"


def _folder_fault(root: Path, path: Path) -> str | None:
    if not path.is_relative_to(root):
        return f"{path} is not below WORKER__ROOT ({root})"
    fault = reading_fault(path)
    return None if fault is None else f"{path}: {fault}"


def _listing_fault(path: Path) -> str | None:
    try:
        with os.scandir(path) as entries:
            next(entries, None)
    except OSError as error:
        return error.strerror or str(error)
    return None


def _writing_fault(path: Path) -> str | None:
    try:
        with tempfile.NamedTemporaryFile(dir=path, prefix=".doctor-") as file:
            file.write(b"x")
            file.flush()
    except OSError as error:
        return error.strerror or str(error)
    return None
