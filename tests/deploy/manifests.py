"""The files for operators, read as YAML."""

import re
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

from entrypoints.common.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
KUBERNETES = ROOT / "deploy" / "kubernetes"


def variables(model: type[BaseModel] = Settings, prefix: str = "") -> set[str]:
    """Every variable that a host understands."""
    found = set()
    for name, field in model.model_fields.items():
        group = field.annotation
        if isinstance(group, type) and issubclass(group, BaseModel):
            found |= variables(group, f"{prefix}{name.upper()}__")
        else:
            found.add(prefix + name.upper())
    return found


def compose(name: str = "compose.yaml") -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / name).read_text())
    return found


def objects() -> list[dict[str, Any]]:
    """Of all Kubernetes files."""
    return [
        each
        for path in sorted(KUBERNETES.glob("*.yaml"))
        for each in yaml.safe_load_all(path.read_text())
    ]


def pod_of(name: str) -> dict[str, Any]:
    """The pod that a Deployment or Job of this name makes."""
    [found] = [
        each
        for each in objects()
        if each["metadata"]["name"] == name and "spec" in each and "template" in each["spec"]
    ]
    pod: dict[str, Any] = found["spec"]["template"]["spec"]
    return pod


def seconds(text: str) -> int:
    """A length of time as compose has it."""
    amount, unit = re.fullmatch(r"(\d+)(s|m)", text).groups()  # type: ignore[union-attr]
    return int(amount) * {"s": 1, "m": 60}[unit]
