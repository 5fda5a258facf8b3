"""Uploads that wait between a dry run and its start, because a browser can't send the same file again by itself.

They keep the prefix of partial uploads, so that those which nobody starts are removed after a day. The page carries
their names, signed for the person who uploaded them.
"""

import secrets
from collections.abc import Sequence
from pathlib import Path

from django.conf import settings
from django.core import signing

from annotator.core.uploads import PART_PREFIX, SECONDS_PER_DAY
from annotator.models import Annotator
from evaluation.models import EvaluationInput
from evaluation.runs.storage import InputFile

SALT = "evaluation.runs.held_files"


class FilesLost(Exception):
    """They are no longer here, or belong to somebody else."""


def hold_files(files: Sequence[InputFile], person: Annotator) -> str:
    """Set the files aside, and return the token that finds them again."""
    rows = [[_hold(file.path).name, file.name] for file in files]
    return signing.dumps({"person": person.pk, "files": rows}, salt=SALT, compress=True)


def find_held(token: str, person: Annotator) -> list[InputFile]:
    """Raises FilesLost."""
    try:
        contents = signing.loads(token, salt=SALT, max_age=SECONDS_PER_DAY)
    except signing.BadSignature as error:
        raise FilesLost from error
    folder = Path(settings.UPLOADS)
    files = [InputFile(EvaluationInput.Role.GOLD, folder / path, name) for path, name in contents["files"]]
    if contents["person"] != person.pk or not all(file.path.exists() for file in files):
        raise FilesLost
    return files


def _hold(path: Path) -> Path:
    if path.name.startswith(PART_PREFIX):
        return path  # held before
    return path.rename(path.with_name(f"{PART_PREFIX}{secrets.token_hex(12)}{path.suffix}"))
