"""Ask a language model about the profiles of a corpus that have gold."""

import argparse
import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.core.formatting import number, plural
from annotator.core.lookups import UnknownName, batch_named, corpus_named
from evaluation.inference.model_answers import Inference, infer_attributes, questions_about
from evaluation.inference.prediction_lines import prediction_line
from evaluation.inference.queries import GoldProfile, gold_profiles
from evaluation.inference.questions import QuestionSettings
from evaluation.llm.budget import estimate_run
from evaluation.llm.client import ModelClient, Standing
from evaluation.management.model_options import add_model_options, chosen_budget, chosen_endpoint

DEFAULTS = QuestionSettings()


class Command(BaseCommand):
    help = "Ask a language model what the comments of profiles give away, and write its guesses beside the gold."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--corpus", metavar="NAME", required=True)
        parser.add_argument("--batch", metavar="NAME", help="only profiles with gold of this batch [all]")
        parser.add_argument("--limit", type=int, metavar="N", help="at most so many profiles [all]")
        add_model_options(parser)
        _add_question(parser)
        parser.add_argument("--dry-run", action="store_true", help="print calls and tokens, and ask nothing")
        parser.add_argument("--out", type=Path, metavar="FILE", help="where the predictions go")

    def handle(self, *args: object, **options: Any) -> None:
        profiles, settings = _profiles(options), _settings(options)
        if options["dry_run"]:
            self._estimate(profiles, settings)
            return
        _check_out(options["out"])
        endpoint, prices = chosen_endpoint(options)
        budget = chosen_budget(options, prices)
        inference = infer_attributes(profiles, ModelClient(endpoint), settings, budget=budget, tell=self._show)
        _write(options["out"], profiles, endpoint.model, inference)
        self._sum_up(profiles, inference, options["out"])

    def _estimate(self, profiles: Sequence[GoldProfile], settings: QuestionSettings) -> None:
        estimate = estimate_run(question.request for _, question in questions_about(profiles, settings))
        usage = estimate.usage
        self.stdout.write(
            f"{plural(estimate.calls, 'call')}, about {number(usage.prompt)} tokens to read and at most "
            f"{number(usage.completion)} to write. Answers that are kept already cost nothing."
        )

    def _show(self, standing: Standing) -> None:
        if self.stderr.isatty():
            done = standing.answered + standing.found + standing.failed
            self.stderr.write(f"\r{number(done)} done, {number(standing.in_flight)} on their way ", ending="")

    def _sum_up(self, profiles: Sequence[GoldProfile], inference: Inference, out: Path) -> None:
        answered = len(inference.predictions)
        self.stdout.write(f"{number(answered)} of {plural(len(profiles), 'profile')} answered, in {out.name}.")
        for counts in (inference.forms, inference.problems):
            self.stdout.write("".join(f"  {name}: {number(count)}\n" for name, count in counts.items()), ending="")
        if inference.cut_profiles:
            left_out = plural(inference.left_out, "comment")
            self.stdout.write(f"{plural(inference.cut_profiles, 'profile')} did not fit: {left_out} left out.")
        if inference.ended_early:
            raise CommandError(inference.ended_early)
        self.stdout.write(f"Score them with: bin/manage score_attributes --predictions {out} --format llmprivacy")


def _add_question(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--subreddits", action="store_true", help="tell the model the subreddits [don't]")
    parser.add_argument("--only-labelled", action="store_true", help="ask only about attributes with a gold value")
    parser.add_argument("--profile-tokens", type=int, default=DEFAULTS.profile_tokens, help="of comments, at most")
    parser.add_argument("--max-tokens", type=int, default=DEFAULTS.max_tokens, help="of an answer, at most")
    parser.add_argument("--temperature", type=float, default=DEFAULTS.temperature)


def _profiles(options: dict[str, Any]) -> list[GoldProfile]:
    try:
        corpus = corpus_named(options["corpus"])
        batch = batch_named(options["batch"]) if options["batch"] else None
    except UnknownName as refusal:
        raise CommandError(str(refusal)) from refusal
    profiles = list(islice(gold_profiles(corpus, batch), options["limit"]))
    if not profiles:
        raise CommandError("No profile has gold. Label and build gold first (bin/manage build_gold).")
    return profiles


def _check_out(out: Path | None) -> None:
    """Before anything is paid for."""
    if out is None:
        raise CommandError("Name the file for the predictions with --out, or try --dry-run first.")
    if not out.parent.is_dir() or out.is_dir():
        raise CommandError(f"“{out}” can't be written: its folder isn't there, or it is a folder itself.")


def _settings(options: dict[str, Any]) -> QuestionSettings:
    for name in ("profile_tokens", "max_tokens"):
        if options[name] < 1:
            raise CommandError(f"--{name.replace('_', '-')} must be at least 1.")
    return QuestionSettings(
        has_subreddits=options["subreddits"], only_labelled=options["only_labelled"],
        profile_tokens=options["profile_tokens"], max_tokens=options["max_tokens"], temperature=options["temperature"],
    )  # fmt: skip


def _write(path: Path, profiles: Sequence[GoldProfile], model: str, inference: Inference) -> None:
    """All at once, so that nobody reads half a file."""
    lines = [
        json.dumps(
            prediction_line(profile.pseudonym, profile.labels, model, inference.predictions.get(profile.pk)),
            ensure_ascii=False,
        )
        for profile in profiles
    ]
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise CommandError(f"“{path.name}” can't be written: {error.strerror}. The answers are kept.") from error
