"""Install each tool into an environment of its own, once, in the pinned version."""

import os
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
PYTHON = "3.11"  # the one that all of them run on
UV_ENV = {"UV_SYSTEM_CERTS": "1", "UV_PYTHON_DOWNLOADS": "never", "UV_LINK_MODE": "copy"}


def install_package(folder: Path, requirement: str) -> None:
    """A virtual environment with the package, byte-compiled as pip leaves it."""
    stamp = folder / ".installed"
    if stamp.exists() and stamp.read_text() == requirement:
        return
    say(f"installing {requirement} into {folder} …")
    folder.mkdir(parents=True, exist_ok=True)
    environment = folder / ".venv"
    _uv("venv", "--quiet", "--clear", "--python", PYTHON, environment)
    _uv("pip", "install", "--quiet", "--compile-bytecode", "--python", environment / "bin" / "python", requirement)
    stamp.write_text(requirement)


def clone_checkout(checkout: Path, folder: Path) -> None:
    """A clone of what is committed, with its locked packages, as `bin/manage` installs them for anybody."""
    if (folder / ".installed").exists():
        return
    say(f"installing {checkout} at {commit_of(checkout)} into {folder} …")
    if not folder.exists():
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", checkout, folder], check=True)
    subprocess.run(["git", "checkout", "--quiet", "--detach", commit_of(checkout)], cwd=folder, check=True)
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(["bin/manage", "help"], cwd=folder, env=env, stdout=subprocess.DEVNULL, check=True)
    (folder / ".installed").touch()


def commit_of(checkout: Path) -> str:
    return _git(checkout, "rev-parse", "--short=7", "HEAD")


def has_changes(checkout: Path) -> bool:
    return bool(_git(checkout, "status", "--porcelain", "--untracked-files=no"))


def _git(checkout: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=checkout, capture_output=True, text=True, check=True).stdout.strip()


def _uv(*words: str | Path) -> None:
    uv = PROJECT / ".boot" / "bin" / "uv"
    if not uv.exists():
        sys.exit("Run bin/manage help once: it fetches the installer.")
    subprocess.run([uv, *words], env=os.environ | UV_ENV, check=True)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
