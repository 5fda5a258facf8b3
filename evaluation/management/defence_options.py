"""Arguments about what is masked, which the commands with defended texts share."""

import argparse
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from evaluation.defences.detector_files import DetectorFile, UnreadableDetections, read_detector_file
from evaluation.defences.plans import PlanRefused
from evaluation.inference.scopes import Scope
from evaluation.spans.evidence.scopes import NoDetection, finished_run, recipe_named
from profiles.models import DetectionRun

ONE_DETECTOR = "Use either --recipe or --detections-file: the file replaces Presidio's detections."


def add_detector_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--recipe", metavar="NAME", help="of the detections [the newest finished run]")
    parser.add_argument("--detections-file", type=Path, metavar="FILE", help="another detector's spans to mask instead")


def chosen_detection(scope: Scope, keys: list[str], options: dict[str, Any]) -> DetectionRun | None:
    """Raises NoDetection if the chosen defences need it, PlanRefused, and UnknownName."""
    if options["detections_file"]:
        if options["recipe"]:
            raise PlanRefused(ONE_DETECTOR)
        return None
    needs = any(key.startswith(("detections", "both")) for key in keys)
    recipe = recipe_named(options["recipe"]) if options["recipe"] else None
    try:
        return finished_run(scope.corpus, recipe)
    except NoDetection:
        if needs or recipe:
            raise
        return None


def chosen_detector(scope: Scope, options: dict[str, Any]) -> DetectorFile | None:
    path = options["detections_file"]
    if path is None:
        return None
    try:
        return read_detector_file(path, path.name, scope.corpus)
    except UnreadableDetections as refusal:
        raise CommandError(str(refusal)) from refusal
    except OSError as error:
        raise CommandError(f"“{path}” can't be read: {error.strerror}.") from error
