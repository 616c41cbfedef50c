"""Complaints of how a command was called; typer keeps the class of these exceptions to itself."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class Complaint(Protocol):
    """As much of typer's exceptions as is used here."""

    exit_code: int

    def format_message(self) -> str:
        """What is wrong, in words for people."""


def of_usage(complaint: Complaint) -> str:
    """One line, with the command; a group that was called without one shows its help instead."""
    said = complaint.format_message().replace("Value error, ", "")
    if said.startswith("Usage:"):
        return said
    path = getattr(getattr(complaint, "ctx", None), "command_path", "anichron")
    return f"{path}: {' '.join(said.split())} (`{path} --help` tells more)"
