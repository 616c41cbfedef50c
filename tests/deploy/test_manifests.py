"""compose and Kubernetes files hold to what the code has, and to what they promise."""

from typing import Any

import pytest

from entrypoints.common.settings import Settings, WorkerSettings
from tests.deploy.manifests import ROOT, compose, objects, pod_of, seconds, variables

FILES = ("compose.yaml", "compose.per-user.yaml")
HOSTS = ("anichron-api", "anichron-worker", "anichron-migrate")
OURS = [
    (name, service)
    for name in FILES
    for service, given in compose(name)["services"].items()
    if service != "database" and "image" in given
]


def ours(name: str, service: str) -> dict[str, Any]:
    given: dict[str, Any] = compose(name)["services"][service]
    return given


@pytest.mark.parametrize(("name", "service"), OURS)
def test_every_variable_of_compose_is_a_setting(name: str, service: str) -> None:
    assert set(ours(name, service)["environment"]) <= variables()


@pytest.mark.parametrize(("name", "service"), OURS)
def test_containers_have_no_rights_that_they_do_not_need(name: str, service: str) -> None:
    given = ours(name, service)
    assert given["cap_drop"] == ["ALL"]
    assert given["read_only"] is True
    assert given["security_opt"] == ["no-new-privileges:true"]
    assert not given["user"].startswith("0")


@pytest.mark.parametrize(("name", "service"), OURS)
def test_originals_are_read_only_and_only_workers_write_proxies(name: str, service: str) -> None:
    mounts = ours(name, service).get("volumes", [])
    assert all(each.endswith(":ro") for each in mounts if "/data/originals" in each)
    writable = [each for each in mounts if not each.endswith(":ro")]
    assert len(writable) == (1 if service.startswith("worker") else 0)


@pytest.mark.parametrize(("name", "service"), OURS)
def test_a_stop_lasts_longer_than_a_worker_may_take(name: str, service: str) -> None:
    if not service.startswith("worker"):
        return
    given = ours(name, service)
    worker = WorkerSettings(
        shutdown_grace_seconds=given["environment"]["WORKER__SHUTDOWN_GRACE_SECONDS"]
    )
    needed = worker.shutdown_grace_seconds + worker.exit_slack_seconds
    assert seconds(given["stop_grace_period"]) > needed + 5


def test_every_variable_that_compose_asks_for_is_in_the_example() -> None:
    example = (ROOT / "deploy" / "compose.env.example").read_text()
    text = "".join((ROOT / name).read_text() for name in FILES)
    asked = {part.split(":?")[0] for part in text.split("${")[1:] if ":?" in part.split("}")[0]}
    assert asked == {
        "DATABASE_PASSWORD",
        "API_DATABASE_PASSWORD",
        "WORKER_DATABASE_PASSWORD",
        "JWT_SECRET",
        "ORIGINALS",
        "PROXIES",
    }
    assert all(f"\n{name}=" in example for name in asked)


def test_every_object_of_kubernetes_says_what_it_is() -> None:
    kinds = {(each["apiVersion"], each["kind"], each["metadata"]["name"]) for each in objects()}
    assert kinds == {
        ("v1", "ConfigMap", "anichron"),
        ("v1", "Secret", "anichron"),
        ("v1", "PersistentVolumeClaim", "originals"),
        ("v1", "PersistentVolumeClaim", "proxies"),
        ("batch/v1", "Job", "anichron-migrate"),
        ("apps/v1", "Deployment", "anichron-api"),
        ("v1", "Service", "anichron-api"),
        ("apps/v1", "Deployment", "anichron-worker"),
    }


@pytest.mark.parametrize("name", HOSTS)
def test_pods_have_known_variables_secrets_and_volumes_and_no_rights(name: str) -> None:
    pod = pod_of(name)
    [container] = pod["containers"]
    known = {each["metadata"]["name"]: each for each in objects() if each["kind"] == "Secret"}
    for variable in container["env"]:
        assert variable["name"] in variables()
        if "valueFrom" in variable:
            wanted = variable["valueFrom"]["secretKeyRef"]
            assert wanted["key"] in known[wanted["name"]]["stringData"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    volumes = {each["name"] for each in pod.get("volumes", [])}
    assert {each["name"] for each in container.get("volumeMounts", [])} == volumes
    config = next(each for each in objects() if each["kind"] == "ConfigMap")
    assert set(config["data"]) <= variables()


@pytest.mark.parametrize("name", ["anichron-api", "anichron-worker"])
def test_probes_ask_ports_that_are_there(name: str) -> None:
    [container] = pod_of(name)["containers"]
    ports = {each["name"]: each["containerPort"] for each in container["ports"]}
    config = next(each for each in objects() if each["kind"] == "ConfigMap")["data"]
    status = int(config[f"STATUS__{name.removeprefix('anichron-').upper()}_PORT"])
    assert ports["status"] == status
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"]["port"] in ports
    assert ports.get("http", Settings.model_fields["port"].default) == 8276


def test_a_pods_stop_lasts_longer_than_a_worker_may_take() -> None:
    given = WorkerSettings()
    needed = given.shutdown_grace_seconds + given.exit_slack_seconds
    assert pod_of("anichron-worker")["terminationGracePeriodSeconds"] > needed + 5


def test_the_image_runs_as_nobody_special_and_takes_no_more_than_it_needs() -> None:
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    assert "USER 1000:1000" in lines
    assert 'ENTRYPOINT ["anichron"]' in lines
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in ignored
    assert not [
        line for line in ignored if line.startswith("!") and ("test" in line or "." in line[1:2])
    ]
