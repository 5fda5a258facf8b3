"""What a model is asked about each profile with gold. No connection to any model is opened here."""

from collections.abc import Iterable, Iterator

from evaluation.inference.gold_profiles import GoldProfile, LoadTexts, texts_by_profile, with_texts
from evaluation.inference.prompts import Prompt, load_prompt
from evaluation.inference.questions import Question, QuestionSettings, build_question


def questions_about(
    profiles: Iterable[GoldProfile], settings: QuestionSettings, prompt: Prompt | None = None,
    load: LoadTexts = texts_by_profile,
) -> Iterator[tuple[GoldProfile, list[Question]]]:  # fmt: skip
    """The questions on each profile that has something to ask about, built as they are needed."""
    prompt = prompt or load_prompt(settings.prompt)
    for profile, texts in with_texts(profiles, load):
        groups = settings.groups([name for name, label in profile.labels.items() if label.value])
        if groups:
            yield profile, [build_question(prompt, texts, group, settings, profile.pk) for group in groups]
