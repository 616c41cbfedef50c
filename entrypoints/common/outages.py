"""What lies behind a fault that has a name, in one line: for operators, never for clients."""


def cause_in_one_line(error: BaseException) -> str | None:
    """What the database, or the system, said; None where the fault has no cause but itself."""
    cause = getattr(error.__cause__, "orig", None) or error.__cause__
    return " ".join(str(cause).split()) or None if cause is not None else None
