"""Serve a small language model on this machine."""

import argparse
import os
import socket
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from evaluation.llm.local_model import HOST, MODEL
from evaluation.management.options import at_least

SCRIPT = Path("bin") / "_model"
NO_SCRIPT = "bin/_model isn't here, so the model can't be installed. Run this in a checkout of Telltale."
TAKEN = "Something is already listening at {host}:{port}. Stop it, or choose another port with --port."
HELP = """It has 135 million parameters, and its answers are poor: it shows that everything works, and nothing more.
Use it with:
  bin/manage infer_attributes --endpoint http://{host}:{port}/v1 --model {model} --corpus NAME --out FILE"""


class Command(BaseCommand):
    help = "Serve a small language model on this machine, to try things out. Installs it on first use."
    needs_servers = False
    requires_system_checks = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--port", type=_port, default=8081, help="on 127.0.0.1 only [8081]")
        parser.add_argument("--context", type=at_least(256), default=8192, metavar="TOKENS",
                            help="that it can read and write at once [8192]")  # fmt: skip
        parser.add_argument("--threads", type=at_least(1), default=1, help="more are slower on a busy machine [1]")

    def handle(self, *args: object, **options: Any) -> None:
        script = settings.PROJECT / SCRIPT
        if not script.exists():
            raise CommandError(NO_SCRIPT)
        _check_port(options["port"])
        self.stdout.write(HELP.format(host=HOST, port=options["port"], model=MODEL))
        self.stdout.flush()
        names = ("port", "context", "threads")
        arguments = [argument for name in names for argument in (f"--{name}", str(options[name]))]
        # In place of this process, so that Ctrl-C and signals reach the model itself.
        os.execv(script, [str(script), *arguments])  # noqa: S606


def _check_port(port: int) -> None:
    """Before anything is installed."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
        except PermissionError as error:
            raise CommandError(f"This user may not use port {port}. Choose one from 1024.") from error
        except OSError as error:
            raise CommandError(TAKEN.format(host=HOST, port=port)) from error


def _port(text: str) -> int:
    """An argparse type: a port that can be listened at."""
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"“{text}” isn't a port from 1 to 65535")
    return int(text)
