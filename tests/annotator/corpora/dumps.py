"""Ingests, dump files and forms for tests of the import pages."""

import json
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from profiles.ingest.funnel import build_funnel
from profiles.ingest.options import ALL, Options
from profiles.models import Corpus, DumpFile, Ingest
from tests.annotator.accounts.sign_in_forms import actions
from tests.factories import make_corpus

_serial = count(1)
PATH = "/corpora/import/"
IMPORT_FORM = {
    "name": "pilot", "since": "2012-01-01", "until": "2016-01-01", "which": "all", "min_chars": "10",
    "min_comments": "1", "seed": "1",
}  # fmt: skip


def make_ingest(corpus: Corpus | None = None, *, stage: str = "reading", quiet: float = 0, **fields) -> Ingest:
    """The newest ingest of a corpus, with its last heartbeat `quiet` seconds ago."""
    beat_at = timezone.now() - timedelta(seconds=quiet)
    ended = {"finished_at": beat_at} if stage in ("done", "stopped") else {}
    began_at = None if stage == "waiting" else beat_at - timedelta(seconds=10)
    defaults = {"requested_at": beat_at, "began_at": began_at, "beat_at": beat_at, "paths": ["/dumps/RC_2012-11.zst"]}
    defaults |= {"stage_at": beat_at - timedelta(seconds=10)}
    corpus = corpus or make_imported_corpus(ready=False)
    return Ingest.objects.create(corpus=corpus, stage=stage, **(defaults | ended | fields))


def make_imported_corpus(name: str = "", *, ready: bool = True, **rules) -> Corpus:
    """A corpus with rules and, if it is ready, a funnel."""
    corpus, options = make_corpus(name, ready=ready), Options(**({"subreddits": ALL} | rules))
    corpus.options = options.to_json()
    steps = build_funnel(1000, {"set_aside": 20, "too_short": 300}, options) if ready else []
    corpus.funnel = [step.to_json() for step in steps]
    corpus.save(update_fields=["options", "funnel"])
    return corpus


def make_dump_file(corpus: Corpus, name: str = "RC_2012-11.zst", **fields) -> DumpFile:
    digest = f"{next(_serial):064x}"
    return DumpFile.objects.create(corpus=corpus, name=name, digest=digest, **({"size": 2048, "lines": 7} | fields))


def dump_lines(*bodies: str, author: str = "tinroof_rusty", subreddit: str = "houston") -> str:
    """Comments in the format of a dump, an hour apart."""
    start = int(datetime(2013, 5, 1, tzinfo=UTC).timestamp())
    lines = [
        {"author": author, "body": body, "created_utc": start + 3600 * n, "id": f"c{next(_serial):05d}",
         "subreddit": subreddit}
        for n, body in enumerate(bodies)
    ]  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)


def uploaded(text: str | bytes = "{}\n", name: str = "RC_2012-11.ndjson") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def files_in(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.exists() else []


def form_errors(response) -> dict[str, str]:
    """Errors by field, after checking that nothing was written."""
    assert response.status_code == 422
    assert not Corpus.objects.exists()
    assert not Ingest.objects.exists()
    assert actions() == []
    return {field: " ".join(errors) for field, errors in response.context["form"].errors.items()}
