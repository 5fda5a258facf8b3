"""Let a model rewrite the comments of profiles: infer, rewrite what gives it away, and infer again."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from evaluation.defences.attacks import Answers, ModelAttacker
from evaluation.defences.records import RewritingCounts
from evaluation.defences.rewriting import Rewrite, check_missing, check_rewrite, load_rewriting_prompt, read_rewrites
from evaluation.inference.gold_profiles import GoldProfile
from evaluation.inference.records import Prediction
from evaluation.inference.selection import Text
from evaluation.llm.requests import ChatRequest

MAX_CHARACTERS = 4_000  # of comments in a request
MAX_COMMENTS = 20
CHARACTERS_PER_TOKEN = 3  # of an answer; JSON takes some
EXTRA_TOKENS = 200

STEPS_PER_ROUND = 2  # infer, and rewrite

Tell = Callable[[int], object]  # gets how many profiles have been through a step, over all steps
Predictions = Mapping[str, Prediction]


@dataclass(slots=True)
class RewrittenTexts:
    """Comments as they stand, by id, and how the last rewriting of each ended."""

    originals: Mapping[int, str]
    bodies: dict[int, str]
    outcomes: dict[int, Rewrite] = field(default_factory=dict)
    answered: int = 0  # profiles
    reason: str = ""

    @property
    def changed(self) -> dict[int, str]:
        return {comment: body for comment, body in self.bodies.items() if body != self.originals[comment]}

    def counts(self, rounds: int) -> RewritingCounts:
        changed = self.changed
        kept = Counter(outcome for comment, outcome in self.outcomes.items() if comment not in changed)
        return RewritingCounts(
            rounds=rounds,
            rewritten=len(changed),
            missing=kept[Rewrite.MISSING],
            refused=kept[Rewrite.REFUSED],
            unrelated=kept[Rewrite.UNRELATED],
            unchanged=kept[Rewrite.UNCHANGED],
            kept_original=len(self.originals) - len(changed),
        )

    def take(self, comments: Sequence[int], reply: str) -> None:
        """Only what is accepted replaces what stands."""
        for comment, text in zip(comments, read_rewrites(reply, len(comments)), strict=True):
            if text is None:
                self.outcomes[comment] = check_missing(reply)
                continue
            self.outcomes[comment] = check_rewrite(self.originals[comment], text, self.bodies[comment])
            if self.outcomes[comment] is Rewrite.ACCEPTED:
                self.bodies[comment] = text


def rewrite_profiles(
    rewriter: ModelAttacker, profiles: Sequence[GoldProfile], texts: Mapping[int, Sequence[Text]], rounds: int,
    tell: Tell,
) -> RewrittenTexts:  # fmt: skip
    """Rewrite all comments of the profiles, as often as there are rounds. Ends with a reason if it can't go on."""
    originals = {text.id: text.body for members in texts.values() for text in members}
    result = RewrittenTexts(originals, dict(originals))
    for number in range(rounds):
        load, start = text_loader(texts, result.bodies), STEPS_PER_ROUND * number * len(profiles)
        attacked = rewriter.attack(profiles, load, _after(start, tell))
        result.answered, result.reason = attacked.answered, attacked.reason
        if not result.reason:
            _rewrite(rewriter, profiles, load, attacked, result, tell=_after(start + len(profiles), tell))
        if result.reason:
            break
    return result


def _after(start: int, tell: Tell) -> Tell:
    return lambda done: tell(start + done)


def text_loader(
    texts: Mapping[int, Sequence[Text]], bodies: Mapping[int, str]
) -> Callable[[Sequence[int]], dict[int, list[Text]]]:
    """The comments of profiles, with other bodies where there are any."""

    def load(profile_ids: Sequence[int]) -> dict[int, list[Text]]:
        return {
            profile: [replace(text, body=bodies.get(text.id, text.body)) for text in texts.get(profile, ())]
            for profile in profile_ids
        }

    return load


def _rewrite(
    rewriter: ModelAttacker, profiles: Sequence[GoldProfile],
    load: Callable[[Sequence[int]], Mapping[int, list[Text]]], attacked: Answers, result: RewrittenTexts, *,
    tell: Tell,
) -> None:  # fmt: skip
    requests = dict[str, ChatRequest]()
    comments = dict[str, list[int]]()
    for profile in profiles:
        for number, part in enumerate(parts_of(load([profile.pk])[profile.pk])):
            key = f"{profile.pk}:{number}"
            comments[key] = [text.id for text in part]
            requests[key] = _request(rewriter, profile, part, attacked.predictions.get(profile.pk, {}))
    replies = rewriter.ask(requests.items(), lambda done: tell(done * len(profiles) // len(requests)))
    for key, reply in replies.texts.items():
        result.take(comments[key], reply)
    missing = {key.partition(":")[0] for key in requests.keys() - replies.texts.keys()}
    result.answered, result.reason = len(profiles) - len(missing), replies.reason


def _request(
    rewriter: ModelAttacker, profile: GoldProfile, part: Sequence[Text], predictions: Predictions
) -> ChatRequest:
    messages = load_rewriting_prompt().messages([text.body for text in part], predictions)
    characters = sum(len(text.body) for text in part)
    return ChatRequest(
        messages, rewriter.question.temperature, characters // CHARACTERS_PER_TOKEN + EXTRA_TOKENS,
        profile_id=profile.pk,
    )  # fmt: skip


def parts_of(texts: Sequence[Text]) -> Iterator[list[Text]]:
    """Comments that are rewritten together."""
    part, characters = list[Text](), 0
    for text in texts:
        if part and (characters + len(text.body) > MAX_CHARACTERS or len(part) == MAX_COMMENTS):
            yield part
            part, characters = [], 0
        part.append(text)
        characters += len(text.body)
    if part:
        yield part
