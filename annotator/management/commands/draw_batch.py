"""Draw a batch from a corpus, like the “Draw a batch” page does."""

import argparse
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotator.batches.drafts import draw_draft
from annotator.batches.drawing.candidates import DrawRefused, Population, draw_weights
from annotator.batches.drawing.plan import Criteria, Plan
from annotator.batches.drawing.shares import Share
from annotator.batches.forms import end_of_day, is_past
from annotator.batches.lifecycle import draw_and_start
from annotator.batches.queries.preview import preview, repeat
from annotator.batches.refusals import BatchRefused
from annotator.core.formatting import number, plural
from annotator.core.lookups import UnknownName, batch_named, corpus_named, people_named
from annotator.models import Batch, GuidelineVersion
from profiles.attributes import Attribute
from profiles.models import Corpus, Recipe


class Command(BaseCommand):
    help = "Draw a batch from a corpus as a seeded random sample, or check whether a batch's draw can be repeated."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="name of the batch")
        parser.add_argument("--corpus", metavar="NAME", help="corpus to draw from [the only one]")
        parser.add_argument("--size", type=int, default=50, help="number of profiles [50]")
        parser.add_argument("--seed", type=int, default=1, help="the same seed draws the same profiles [1]")
        parser.add_argument("--recipe", metavar="NAME", help="Presidio recipe [from the newest run]")
        _add_criteria(parser)
        _add_handling(parser)
        parser.add_argument("--dry-run", action="store_true", help="only count matching profiles and show the first")
        parser.add_argument("--start", action="store_true", help="start it immediately [it stays a draft]")
        parser.add_argument("--repeat", metavar="BATCH", help="check whether this batch's draw gives the same list")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            self._handle(options)
        except (BatchRefused, DrawRefused, UnknownName) as refusal:
            raise CommandError(str(refusal)) from refusal

    def _handle(self, options: dict[str, Any]) -> None:
        if options["repeat"]:
            return self._repeat(batch_named(options["repeat"]))
        plan = _plan(options)
        if options["dry_run"]:
            return self._preview(plan)
        if not plan.name:
            raise CommandError("Name the batch, or use --dry-run. Nothing was drawn.")
        batch = draw_and_start(plan) if options["start"] else draw_draft(plan)
        state = "started" if batch.started_at else "a draft, not started yet"
        assignments = number(batch.assignments.count())
        self.stdout.write(f"drew “{batch.name}”: {number(plan.size)} profiles, {assignments} assignments; {state}")
        return None

    def _repeat(self, batch: Batch) -> None:
        repetition = repeat(batch)
        if not repetition.is_same:
            raise CommandError(repetition.summary)
        self.stdout.write(repetition.summary)

    def _preview(self, plan: Plan) -> None:
        options = plan.options(draw_weights(plan.corpus, prefer_thin=plan.prefer_thin))
        shown = preview(Population(plan.corpus, plan.recipe), options)
        self.stdout.write(f"{number(shown.eligible)} profiles match")
        for row in shown.rows:
            wrote = f"{row.first_written_at:%Y-%m-%d} to {row.last_written_at:%Y-%m-%d}"
            comments = f"{plural(row.comment_count, 'comment')} in {plural(row.subreddit_count, 'subreddit')}"
            self.stdout.write(f"  {row.pseudonym}: {comments}, {wrote}")
        if shown.problem:
            raise CommandError(shown.problem)


def _add_criteria(parser: argparse.ArgumentParser) -> None:
    which = parser.add_argument_group("which profiles")
    which.add_argument("--at-least", type=int, metavar="N", help="comments")
    which.add_argument("--at-most", type=int, metavar="N", help="comments")
    which.add_argument(
        "--subreddit", action="append", default=[], metavar="NAME", help="wrote in this subreddit; may be repeated"
    )
    which.add_argument("--hint", action="append", default=[], choices=Attribute.values, help="may be repeated")
    which.add_argument("--since", type=date.fromisoformat, metavar="DAY", help="active on this day or later")
    which.add_argument("--until", type=date.fromisoformat, metavar="DAY", help="active on this day or earlier")
    which.add_argument(
        "--language", action="append", default=[], metavar="CODE", help="mostly in this language; may be repeated"
    )
    which.add_argument("--detections", choices=["yes", "no"], help="with or without detections [either]")
    which.add_argument("--unbatched", action="store_true", help="not in a batch yet")
    which.add_argument("--relabel", action="store_true", help="labelled by exactly one person; someone else gets them")
    which.add_argument("--prefer-thin", action="store_true", help="prefer profiles likely to fill unmet targets")


def _add_handling(parser: argparse.ArgumentParser) -> None:
    how = parser.add_argument_group("labelling")
    how.add_argument("--overlap", type=int, default=1, choices=range(1, 6), help="evaluators per profile [1]")
    how.add_argument("--to", nargs="*", default=[], metavar="USER[:MOST]", help="evaluators [a shared pool]")
    how.add_argument("--guideline", type=int, metavar="NUMBER", help="version of the guidelines [the newest]")
    how.add_argument("--hide-hints", action="store_true")
    how.add_argument("--plant", type=int, default=0, metavar="N", help="known profiles to plant when the batch starts")
    how.add_argument("--due", type=date.fromisoformat, metavar="DAY")
    how.add_argument("--past-due", action="store_true", help="confirm that --due is in the past")


def _plan(options: dict[str, Any]) -> Plan:
    if options["size"] < 1 or options["seed"] < 0 or options["plant"] < 0:
        raise CommandError("--size must be at least 1, and --seed and --plant at least 0. Nothing was drawn.")
    if is_past(options["due"]) and not options["past_due"]:
        raise CommandError("--due is in the past. Nothing was drawn. Choose another day, or confirm with --past-due.")
    corpus = _corpus(options["corpus"])
    return Plan(
        name=options["name"] or "", corpus=corpus, guideline=_guideline(options["guideline"]), size=options["size"],
        seed=options["seed"], criteria=_criteria(options), prefer_thin=options["prefer_thin"],
        recipe=_recipe(corpus, options["recipe"]), overlap=options["overlap"], people=_people(options["to"]),
        hints_shown=not options["hide_hints"], planted=options["plant"],
        due_at=end_of_day(options["due"]),
    )  # fmt: skip


def _criteria(options: dict[str, Any]) -> Criteria:
    same = {name: options[name] for name in ("at_least", "at_most", "since", "until", "unbatched", "relabel")}
    if options["since"] and options["until"] and options["since"] > options["until"]:
        raise CommandError(
            f"--until {options['until']} is before --since {options['since']}. Swap them, or leave one out. "
            "Nothing was drawn."
        )
    detections = {"yes": True, "no": False, None: None}[options["detections"]]
    return Criteria(
        **same, subreddits=tuple(name.removeprefix("r/") for name in options["subreddit"]),
        attributes=tuple(options["hint"]), languages=tuple(options["language"]), detections=detections,
    )  # fmt: skip


def _corpus(name: str | None) -> Corpus:
    if name:
        return corpus_named(name)
    corpora = list(Corpus.objects.ready().current()[:2])
    if len(corpora) != 1:
        raise CommandError("Choose a corpus with --corpus. Nothing was drawn.")
    return corpora[0]


def _recipe(corpus: Corpus, name: str | None) -> Recipe | None:
    if not name:
        return corpus.runs.newest_recipe()
    recipe = Recipe.objects.filter(name=name).first()
    if recipe is None:
        raise CommandError(f"There is no recipe called “{name}”. Nothing was drawn.")
    return recipe


def _guideline(version_number: int | None) -> GuidelineVersion:
    versions = GuidelineVersion.objects.order_by("number")
    version = versions.filter(number=version_number).first() if version_number else versions.last()
    if version is None:
        raise CommandError("There is no such version of the guidelines. Publish it first. Nothing was drawn.")
    return version


def _people(arguments: list[str]) -> tuple[Share, ...]:
    pairs = [argument.partition(":") for argument in arguments]
    if any(colon and not (quota.isdigit() and int(quota)) for _, colon, quota in pairs):
        raise CommandError("Write an evaluator as eva, or as eva:20 for at most 20 profiles. Nothing was drawn.")
    people = people_named(name for name, _, _ in pairs)
    quotas = [int(quota) if quota else None for _, _, quota in pairs]
    return tuple(Share(person.pk, quota) for person, quota in zip(people, quotas, strict=True))
