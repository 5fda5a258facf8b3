"""Arguments about whom to ask what, which the commands with attacks by inference share."""

import argparse
from typing import Any

from django.core.management.base import CommandError

from annotator.core.lookups import UnknownName
from evaluation.inference.baselines import BASELINES
from evaluation.inference.prompt_store import PromptGone, prompt_named
from evaluation.inference.prompted_answers import Prompted
from evaluation.inference.prompts import CURRENT, Prompt
from evaluation.inference.questions import QuestionSettings
from evaluation.inference.scopes import Scope
from evaluation.management.model_options import add_model_options, chosen_endpoint, is_address, named_endpoint
from evaluation.management.options import chosen_corpus
from evaluation.runs.systems import System

DEFAULTS = QuestionSettings()


def add_scope_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--corpus", metavar="NAME", required=True)
    parser.add_argument("--batch", metavar="NAME", help="only profiles with gold of this batch [all]")
    parser.add_argument("--limit", type=int, metavar="N", help="at most this many profiles [all]")
    parser.add_argument(
        "--prompted", choices=list(Prompted), type=Prompted, default=Prompted.OTHERS,
        help="model-prompted answers: those of others, none or all count as gold [others]",
    )  # fmt: skip


def add_system_arguments(parser: argparse.ArgumentParser) -> None:
    add_model_options(parser)
    parser.add_argument("--baseline", choices=list(BASELINES), metavar="NAME", help=", ".join(BASELINES))


def add_question_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--prompt", metavar="NAME", default=CURRENT, help=f"a version of the prompt [{CURRENT}]")
    parser.add_argument("--subreddits", action="store_true", help="tell the model the subreddits [don't]")
    parser.add_argument("--per-attribute", action="store_true", help="one request for each attribute [each profile]")
    parser.add_argument("--only-labelled", action="store_true", help="ask only about attributes with a gold value")
    parser.add_argument("--profile-tokens", type=int, default=DEFAULTS.profile_tokens, help="of comments, at most")
    parser.add_argument("--max-tokens", type=int, default=DEFAULTS.max_tokens, help="of an answer, at most")
    parser.add_argument("--temperature", type=float, default=DEFAULTS.temperature)


def chosen_system(options: dict[str, Any]) -> System:
    if options["baseline"]:
        return System.baseline(options["baseline"])
    endpoint, _ = chosen_endpoint(options)
    if not is_address(options):
        return System.stored(named_endpoint(options["endpoint"]))
    return System.at_address(endpoint.base_url, endpoint.model, endpoint.send_texts_to, endpoint.concurrency)


def chosen_scope(options: dict[str, Any]) -> Scope:
    try:
        corpus, batch = chosen_corpus(options)
    except UnknownName as refusal:
        raise CommandError(str(refusal)) from refusal
    if options["limit"] is not None and options["limit"] < 1:
        raise CommandError("--limit must be at least 1.")
    return Scope(corpus, batch, options["limit"], options["prompted"], _system_name(options))


def _system_name(options: dict[str, Any]) -> str:
    """A dry run may name no system. Then nothing is left out."""
    return chosen_system(options).title if options["baseline"] or options["endpoint"] else ""


def chosen_question(options: dict[str, Any]) -> tuple[QuestionSettings, Prompt]:
    for name in ("profile_tokens", "max_tokens"):
        if options[name] < 1:
            raise CommandError(f"--{name.replace('_', '-')} must be at least 1.")
    try:
        prompt = prompt_named(options["prompt"])
    except PromptGone as refusal:
        raise CommandError(str(refusal)) from refusal
    settings = QuestionSettings(
        prompt=options["prompt"], has_subreddits=options["subreddits"], only_labelled=options["only_labelled"],
        profile_tokens=options["profile_tokens"], max_tokens=options["max_tokens"],
        temperature=options["temperature"], per_attribute=options["per_attribute"],
    )  # fmt: skip
    return settings, prompt
