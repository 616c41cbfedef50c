"""`anichron doctor`: what is wrong with the installation, and what to do."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import typer

from entrypoints.cli.container import CliContainer
from entrypoints.cli.doctor.finding import Check, Finding, State
from entrypoints.cli.exit_codes import Exit
from entrypoints.cli.hosts_of_up import paths_of
from entrypoints.common.settings import Settings

MARKS = {State.OK: "ok", State.WRONG: "WRONG", State.UNKNOWN: "?"}


def doctor(
    skip: Annotated[
        list[Check] | None, typer.Option(help="what is not this machine's; may be repeated")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON list")] = False,
) -> None:
    """Say what is wrong, and what to do.

    It looks at the database, its schema and clock, the folders and the Workers.
    The folders are looked at as this user, on this machine: run it where a Worker runs. Exit
    code 1 where something is wrong.

    Example: anichron doctor --skip folders
    """
    settings = Settings()
    paths = paths_of(settings)
    examine = CliContainer(settings=settings).examination(root=paths.root, proxies=paths.proxies)
    findings: list[Finding] = examine(skip or [])
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        _tell(findings)
    if any(finding.state is not State.OK for finding in findings):
        raise typer.Exit(Exit.NOT_DONE)


def _tell(findings: Sequence[Finding]) -> None:
    for finding in findings:
        typer.echo(f"{MARKS[finding.state]:<6} {finding.check:<10} {finding.said}")
        if finding.advice is not None:
            typer.echo(f"{'':<17} -> {finding.advice}")
