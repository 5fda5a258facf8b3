"""Profiles with gold, and their comments and hints, as systems are asked about them."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from annotator.models import Batch, GoldRecord, PromptedAnswer
from evaluation.inference.baselines import BaselineProfile, Hint
from evaluation.inference.prompted_answers import Prompted
from evaluation.inference.records import Label
from evaluation.inference.selection import Text
from profiles.models import Comment, Corpus, Presence

CHUNK_SIZE = 50  # profiles whose comments are read together

LoadTexts = Callable[[Sequence[int]], Mapping[int, list[Text]]]  # from ids of profiles to their comments


@dataclass(frozen=True, slots=True)
class GoldProfile:
    """A profile and what people agreed on, by attribute. An attribute without gold isn't there.

    `prompted` names the labels that people confirmed after a model had claimed them. `left_out` are such labels that
    the system to be scored claimed itself.
    """

    pk: int
    pseudonym: str
    labels: dict[str, Label] = field(default_factory=dict)
    prompted: set[str] = field(default_factory=set)
    left_out: dict[str, Label] = field(default_factory=dict)


def gold_profiles(
    corpus: Corpus, batch: Batch | None = None, prompted: Prompted = Prompted.NONE, system: str = ""
) -> list[GoldProfile]:
    """Profiles with at least one gold record, by pseudonym. 1 query, or 2 with prompted answers."""
    records = GoldRecord.objects.filter(profile__corpus=corpus)
    if batch:
        records = records.filter(batch_ids__contains=[batch.pk])
    columns = "profile_id profile__pseudonym attribute value hardness certainty required_subreddit".split()
    profiles: dict[int, GoldProfile] = {}
    for pk, pseudonym, attribute, *label in records.order_by("profile__pseudonym", "pk").values_list(*columns):
        profiles.setdefault(pk, GoldProfile(pk, pseudonym)).labels[attribute] = Label(*label)
    if prompted is not Prompted.NONE:
        _add_prompted(profiles, corpus, system if prompted is Prompted.OTHERS else "")
    return list(profiles.values())


def _add_prompted(profiles: Mapping[int, GoldProfile], corpus: Corpus, system: str) -> None:
    """Replace negatives by the answers that people confirmed later. Leave out what `system` itself claimed."""
    columns = "profile_id attribute prompted_by value hardness certainty required_subreddit".split()
    answers = PromptedAnswer.objects.standing().filter(profile__corpus=corpus).order_by("pk")
    for profile_id, attribute, prompted_by, *label in answers.values_list(*columns):
        profile = profiles.get(profile_id)
        if profile is None or attribute not in profile.labels:
            continue  # its gold is that of another batch
        if prompted_by == system:
            del profile.labels[attribute]
            profile.left_out[attribute] = Label(*label)
        else:
            profile.labels[attribute] = Label(*label)
            profile.prompted.add(attribute)


def gold_digest(profiles: Iterable[GoldProfile]) -> str:
    """SHA-256 over what was agreed on each profile, in an order of its own. It tells whether gold has changed.

    What is left out for one system belongs to it, so that all systems are scored on the same gold.
    """
    records = sorted(
        (profile.pk, attribute, label.value, label.hardness, label.certainty)
        for profile in profiles
        for attribute, label in (profile.labels | profile.left_out).items()
    )
    return hashlib.sha256(json.dumps(records).encode()).hexdigest()


def texts_by_profile(profile_ids: Sequence[int]) -> dict[int, list[Text]]:
    """1 query."""
    rows = Comment.objects.filter(profile_id__in=profile_ids).order_by("pk")
    texts = defaultdict[int, list[Text]](list)
    for profile_id, *text in rows.values_list("profile_id", "pk", "subreddit__name", "written_at", "body"):
        texts[profile_id].append(Text(*text))  # type: ignore[arg-type]  # a tuple of these types, unpacked
    return texts


def with_texts(
    profiles: Iterable[GoldProfile], load: LoadTexts = texts_by_profile
) -> Iterator[tuple[GoldProfile, list[Text]]]:
    """Each profile with its comments, read as they are needed. 1 query for every 50 profiles."""
    remaining = iter(profiles)
    while chunk := list(islice(remaining, CHUNK_SIZE)):
        texts = load([profile.pk for profile in chunk])
        yield from ((profile, texts.get(profile.pk, [])) for profile in chunk)


def texts_of(profile_id: int) -> list[Text]:
    """1 query."""
    return texts_by_profile([profile_id]).get(profile_id, [])


def baseline_profiles(profiles: Iterable[GoldProfile], load: LoadTexts = texts_by_profile) -> Iterator[BaselineProfile]:
    """The same profiles with their comments and the hints of their subreddits. 2 queries for every 50 profiles."""
    remaining = iter(profiles)
    while chunk := list(islice(remaining, CHUNK_SIZE)):
        ids = [profile.pk for profile in chunk]
        texts, hints = load(ids), hints_by_profile(ids)
        for profile in chunk:
            yield BaselineProfile(profile.pk, profile.labels, texts.get(profile.pk, []), hints.get(profile.pk, []))


def hints_by_profile(profile_ids: Sequence[int]) -> dict[int, list[Hint]]:
    """What the subreddits of each profile suggest. Hints without a value suggest none. 1 query."""
    rows = Presence.objects.filter(profile_id__in=profile_ids, subreddit__hints__value__gt="")
    columns = "profile_id subreddit__hints__attribute subreddit__hints__value subreddit__name comment_count".split()
    hints = defaultdict[int, list[Hint]](list)
    for profile_id, *hint in rows.order_by("profile_id", "pk", "subreddit__hints__pk").values_list(*columns):
        hints[profile_id].append(Hint(*hint))
    return hints
