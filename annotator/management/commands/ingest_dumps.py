"""Create a corpus from dumps, or extend one."""

import argparse
import json
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import number
from annotator.core.job_terminal import JobDisplay
from annotator.detection.services import detect_in_background
from profiles.ingest.options import ALL, OUR_LIST, Options
from profiles.ingest.plan import IngestRefused, freeze_subreddits
from profiles.ingest.progress import line_rate, stage_progress
from profiles.ingest.requests import discard_empty, request_ingest
from profiles.ingest.run import run_ingest
from profiles.ingest.sources import path_in_words
from profiles.models import DumpFile, Ingest

Stage = Ingest.Stage
STUDY_HAS_ITS_OWN = (
    "--study sets every rule except --subreddits. Leave out the other rules, or --study. Nothing was read."
)

# Each option sets a field of Options. All of them are stored with the corpus.
RULES: dict[str, dict[str, Any]] = {
    "--from": {
        "dest": "since",
        "type": date.fromisoformat,
        "metavar": "DATE",
        "help": "first day, in UTC [2012-01-01]",
    },
    "--to": {"dest": "until", "type": date.fromisoformat, "metavar": "DATE", "help": "day after the last [2016-01-01]"},
    "--min-chars": {"type": int, "metavar": "N", "help": "shortest comment, in characters [10]"},
    "--subreddits": {
        "metavar": "LIST",
        "help": "ours (the subreddit list), all, or a file with one name per line [ours]",
    },
    "--min-comments": {"type": int, "metavar": "N", "help": "smallest profile [1]"},
    "--max-comments": {"type": int, "metavar": "N", "help": "largest profile [any]"},
    "--sample": {"type": int, "metavar": "N", "help": "keep only this many profiles, drawn at random [all]"},
    "--seed": {"type": int, "metavar": "S", "help": "seed of the sample: the same seed draws the same profiles [1]"},
    "--keep-bots": {"action": "store_const", "const": True, "help": "keep known bots and accounts that write like one"},
    "--keep-duplicates": {
        "action": "store_const",
        "const": True,
        "help": "keep comments whose id has already been read",
    },
    "--keep-quotes": {"action": "store_const", "const": True, "help": "keep quoted lines"},
    "--keep-entities": {"action": "store_const", "const": True, "help": "keep &gt; &lt; &amp; as they are"},
}


class Command(BaseCommand):
    help = "Read dumps of Reddit comments, filter them, group them into profiles, and load them as a corpus."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="a file, a folder or a pattern")
        parser.add_argument("--corpus", metavar="NAME", help="name of the corpus; an existing one is extended")
        parser.add_argument("--from-spark", type=Path, metavar="DIR", help="load the result of a Spark run")
        parser.add_argument(
            "--write-rules", type=Path, metavar="FILE", help="only write the rules to a file, for a Spark run"
        )
        rules = parser.add_argument_group("rules, kept with the corpus")
        for flag, arguments in RULES.items():
            rules.add_argument(flag, default=None, **arguments)
        rules.add_argument("--study", action="store_true", help="use exactly the rules of the original study")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            if options["write_rules"]:
                self._write_rules(options["write_rules"], freeze_subreddits(_rules(options) or Options()))
            else:
                self._ingest(options)
        except IngestRefused as error:
            raise CommandError(str(error)) from error

    def _ingest(self, options: dict[str, Any]) -> None:
        spark, paths = options["from_spark"], options["paths"]
        if not options["corpus"] or not (spark or paths):
            raise CommandError("Name what to read (a file, a folder or a pattern), and name the corpus with --corpus.")
        rules = _spark_rules(spark, options) if spark else _rules(options)
        ingest = request_ingest(options["corpus"], rules, [path.absolute() for path in ([spark] if spark else paths)])
        try:
            with JobDisplay() as display:
                run_ingest(ingest, partial(show_ingest, display))
        except IngestRefused:
            discard_empty(ingest)
            raise
        self.stdout.write(_summary(ingest))
        detect_in_background(ingest.corpus)

    def _write_rules(self, file: Path, rules: Options) -> None:
        try:
            file.write_text(json.dumps(rules.to_json(), indent=1), encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from error
        self.stdout.write(f"wrote the rules to {file}")


def _rules(options: dict[str, Any]) -> Options | None:
    """The rules given as options, or None if there are none: an existing corpus then keeps its own."""
    names = [arguments.get("dest", flag.strip("-").replace("-", "_")) for flag, arguments in RULES.items()]
    values = {name: options[name] for name in names if options[name] is not None}
    if not values and not options["study"]:
        return None
    if options["study"] and set(values) - {"subreddits"}:
        raise CommandError(STUDY_HAS_ITS_OWN)
    try:
        rules = Options(**values)
    except ValueError as error:
        raise CommandError(str(error)) from error
    return _with_named_subreddits(rules.as_study() if options["study"] else rules)


def _spark_rules(spark: Path, options: dict[str, Any]) -> Options:
    """The rules of the Spark run. Its result can't be loaded under other rules."""
    if _rules(options) is not None:
        raise CommandError("The result of a Spark run has its own rules. Leave them out here.")
    try:
        return Options.from_json(json.loads((spark / "counts.json").read_text(encoding="utf-8"))["options"])
    except (OSError, ValueError, KeyError) as error:
        raise CommandError(
            f"{spark} is not a complete result of a Spark run: it has no readable counts.json."
        ) from error


def _with_named_subreddits(rules: Options) -> Options:
    if rules.subreddits in (ALL, OUR_LIST):
        return rules
    try:
        lines = Path(rules.subreddits).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError(f"The list {path_in_words(rules.subreddits)} could not be read.") from error
    rules = replace(rules, subreddits=path_in_words(rules.subreddits))
    names = [line.strip().removeprefix("/").removeprefix("r/") for line in lines]
    return rules.with_names(name for name in names if name and not name.startswith("#"))


def show_ingest(display: JobDisplay, ingest: Ingest) -> None:
    """Show a progress bar for the current stage."""
    if ingest.stage not in (Stage.WAITING, Stage.DONE, Stage.STOPPED):
        display.show_step(Stage(ingest.stage).label, stage_progress(ingest), _stage_text(ingest))


def _stage_text(ingest: Ingest) -> str:
    if ingest.stage == Stage.READING:
        return f"{number(ingest.lines)} lines, {number(ingest.kept)} kept, {number(round(line_rate(ingest)))} /s"
    return f"{number(ingest.done)} of {number(ingest.total)} comments" if ingest.stage == Stage.LOADING else ""


def _summary(ingest: Ingest) -> str:
    """The funnel of the whole corpus, followed by any problems."""
    ingest.corpus.refresh_from_db()
    steps = ingest.corpus.funnel
    width = max((len(step["label"]) for step in steps), default=0)
    lines = [f"  {step['label']:<{width}}  {step['left']:>15,}" for step in steps]
    profiles = ingest.corpus.profiles.count()
    lines.append(f"  {'Profiles':<{width}}  {profiles:>15,}")
    lines += [f"{file.name}: {problem}" for file in ingest.corpus.files.all() for problem in _problems(file)]
    return "\n".join([*lines, *([ingest.problem] if ingest.problem else [])])


def _problems(file: DumpFile) -> list[str]:
    reasons = ", ".join(f"{number(count)} {reason}" for reason, count in sorted(file.reasons.items()))
    aside = [f"set aside {reasons}. The corpus page lists the lines."] if reasons else []
    return aside + ([file.problem] if file.problem else [])
