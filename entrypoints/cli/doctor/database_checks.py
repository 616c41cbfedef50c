"""Looks at the database, its schema, and its clock against ours."""

import time
from collections.abc import Callable
from datetime import UTC, datetime

from application.ports.installation_signs import InstallationSigns
from application.ports.readiness import SchemaNotCurrent
from domain.errors import DatabaseUnavailable
from entrypoints.cli.check_running import NotRunning
from entrypoints.cli.doctor.finding import Check, Finding, ok, wrong
from entrypoints.cli.faults import explained

MOST_SKEW_SECONDS = 5.0


def database_and_schema(check_readiness: Callable[[], None]) -> list[Finding]:
    """The schema's finding is missing where the database does not answer."""
    try:
        check_readiness()
    except NotRunning as error:
        return [wrong(Check.DATABASE, error.fault, error.advice)]
    except DatabaseUnavailable as error:
        advice = (
            "see that PostgreSQL runs, and that POSTGRES_CONNECTION__HOST, __PORT, __DBNAME,"
            " __USER and __PASSWORD lead to it"
        )
        return [wrong(Check.DATABASE, explained(error), advice)]
    except SchemaNotCurrent as error:
        advice = "run `anichron migrate`; where the schema is newer, run the newer release"
        return [ok(Check.DATABASE, "answers"), wrong(Check.SCHEMA, str(error), advice)]
    return [ok(Check.DATABASE, "answers"), ok(Check.SCHEMA, "is this release's")]


def clock(
    signs: InstallationSigns, now: Callable[[], datetime] = lambda: datetime.now(UTC)
) -> Finding:
    """The host's clock at the middle of the question against the database's answer."""
    began, asked = now(), time.monotonic()
    theirs = signs.time()
    took = time.monotonic() - asked
    skew = (began - theirs).total_seconds() + took / 2
    where = "ahead of" if skew > 0 else "behind"
    said = f"this host is {abs(skew):.1f} s {where} the database"
    if abs(skew) <= MOST_SKEW_SECONDS + took / 2:
        return ok(Check.CLOCK, said)
    advice = (
        "set the clocks by NTP: the queue goes by the database's clock alone, but tokens end"
        " by the API's, and log lines can't be compared"
    )
    return wrong(Check.CLOCK, said, advice)
