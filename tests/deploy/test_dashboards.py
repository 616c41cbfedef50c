"""Every metric that the dashboard and the alert rules name is one that real hosts tell."""

import json
import re
from pathlib import Path

import pytest
import yaml
from sqlalchemy import Engine

from adapters.postgres.engine import PostgresAddress
from domain.work.status import WorkStatus
from tests.contracts.harness import PostgresPorts
from tests.deploy.manifests import ROOT
from tests.entrypoints.api.running_host import free_port, running_host
from tests.process.hosts import scene
from tests.process.status_port import ask

NAME = re.compile(r"\b((?:anichron|process)_[a-z_]+)(?:\{([^}]*)\})?")
LABEL = re.compile(r"(\w+)\s*(?:=~|!=|!~|=)")
GROUPED = re.compile(r"by \(([^)]*)\)")
SAMPLE = re.compile(r"^([a-z_]+)(?:\{([^}]*)\})? ", re.MULTILINE)
PROMETHEUS_OWN = {"job", "instance", "le"}


def expressions() -> list[str]:
    dashboard = json.loads((ROOT / "deploy/grafana/anichron.json").read_text())
    rules = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yaml").read_text())
    return [
        *(target["expr"] for panel in dashboard["panels"] for target in panel["targets"]),
        *(rule["expr"] for group in rules["groups"] for rule in group["rules"]),
    ]


def named(expression: str) -> dict[str, set[str]]:
    """Each metric of an expression with the labels that are asked of it."""
    grouped = {part.strip() for found in GROUPED.findall(expression) for part in found.split(",")}
    return {
        metric: {*LABEL.findall(labels), *grouped} - PROMETHEUS_OWN
        for metric, labels in NAME.findall(expression)
    }


def told(text: str) -> dict[str, set[str]]:
    """Each metric of a host with its labels."""
    found: dict[str, set[str]] = {}
    for metric, labels in SAMPLE.findall(text):
        found.setdefault(metric, set()).update(re.findall(r'(\w+)="', labels))
    return found


@pytest.mark.postgres
@pytest.mark.process
@pytest.mark.once
def test_every_metric_and_label_that_is_named_is_told_by_a_real_host(
    database: PostgresAddress, engine: Engine, tmp_path: Path
) -> None:
    api, worker = free_port(), free_port()
    with (
        scene(database, PostgresPorts(engine=engine), tmp_path) as stage,
        running_host(database, tmp_path, STATUS__API_PORT=str(api)),
    ):
        stage.start(STATUS__WORKER_PORT=str(worker))
        stage.until(stage.enqueue("work", seconds=0.5), WorkStatus.SUCCEEDED)
        metrics = told(ask(api, "/metrics")[1]) | told(ask(worker, "/metrics")[1])
    missing = [
        f"{metric}{sorted(labels - metrics.get(metric, set()))} in {expression}"
        for expression in expressions()
        for metric, labels in named(expression).items()
        if not labels <= metrics.get(metric, set()) or metric not in metrics
    ]
    assert missing == []
    used = {metric for expression in expressions() for metric in named(expression)}
    ours = {name for name in metrics if name.startswith("anichron_")}
    families = {re.sub(r"_(bucket|count|sum)$", "", name) for name in ours}
    shown = {re.sub(r"_(bucket|count|sum)$", "", name) for name in used}
    assert families <= shown, "what is measured is shown somewhere"


def test_every_alert_says_how_bad_it_is_and_what_it_means() -> None:
    rules = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yaml").read_text())
    alerts = [rule for group in rules["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in alerts}) == len(alerts) >= 8
    for rule in alerts:
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert rule["annotations"]["summary"]
    guide = (ROOT / "docs" / "operating.md").read_text()
    assert [rule["alert"] for rule in alerts if f"`{rule['alert']}`" not in guide] == []


def test_an_alert_about_a_sum_of_nothing_fires_where_nobody_tells_anything() -> None:
    """A sum over no series is no number in Prometheus, and compares with none."""
    rules = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yaml").read_text())
    about_none = [
        rule["expr"]
        for group in rules["groups"]
        for rule in group["rules"]
        if "sum(" in rule["expr"] and "== 0" in rule["expr"]
    ]
    assert about_none
    for expression in about_none:
        assert expression.count("or vector(0)) == 0") == expression.count("sum(")
