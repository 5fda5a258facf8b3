"""A stand-in for the original study's labelling page: comments, eight columns of fields, and a Next button.

It has no accounts, no database and no spans; the boxes for Presidio's results and for hints stay empty. Next appends
the profile with the answers to a file as one line of JSON, and shows the next profile to whoever asked. It runs in an
environment of its own, with Gradio only.

usage: python gradio_page.py PROFILES.jsonl ANSWERS.jsonl PORT
"""

import json
import sys
from pathlib import Path
from typing import Any

import gradio  # type: ignore[import-not-found]  # only its own environment has it

CHOICES: dict[str, list[str]] = {
    "location": [], "sex": ["male", "female"], "age": [], "occupation": [], "place_of_birth": [],
    "marital_status": ["no relation", "relation", "married", "divorced"],
    "income": ["no", "low", "medium", "high", "very high"],
    "education": ["no hs", "in hs", "hs", "in college", "college", "phd"],
}  # fmt: skip
FIELDS = ("value", "hardness", "certainty", "required_subreddit")


class Study:
    """The profiles in their order, and the file of answers. Gradio runs one call of a function at a time."""

    def __init__(self, profiles: Path, answers: Path) -> None:
        self.profiles = [json.loads(line) for line in profiles.read_text().splitlines()]
        self.answers, self.at = answers, 0

    def open_first(self, request: gradio.Request) -> list[Any]:
        """The profile in the address, or the next one."""
        named = request.query_params.get("profile")
        profile = next((profile for profile in self.profiles if profile["name"] == named), None)
        return self._shown(profile or self._next())

    def save_and_open_next(self, record: str, *fields: Any) -> list[Any]:
        profile, columns = json.loads(record), zip(*[iter(fields)] * len(FIELDS), strict=True)
        answers = {
            attribute: dict(zip(FIELDS, column, strict=True))
            for attribute, column in zip(CHOICES, columns, strict=True)
        }
        with self.answers.open("a") as out:
            out.write(json.dumps(profile | {"answers": answers}) + "\n")
        return self._shown(self._next())

    def _next(self) -> dict[str, Any]:
        self.at += 1
        return self.profiles[(self.at - 1) % len(self.profiles)]  # type: ignore[no-any-return]

    def _shown(self, profile: dict[str, Any]) -> list[Any]:
        """Comments, subreddits, what Presidio and hints would say, the record, and empty fields."""
        comments = sorted(profile["comments"], key=lambda comment: (comment["subreddit"], comment["written"]))
        text = "\n".join(f"r/{comment['subreddit']} {comment['written']}: {comment['body']}" for comment in comments)
        places = "\n".join(sorted({comment["subreddit"] for comment in comments}))
        empty = [value for choices in CHOICES.values() for value in (None if choices else "", 0, 0, False)]
        return [text, places, "", "", json.dumps(profile), *empty]


def page(study: Study) -> gradio.Blocks:
    with gradio.Blocks(title="Labelling") as blocks:
        with gradio.Row():
            comments = gradio.Textbox(label="Comments", elem_id="comments", lines=20, max_lines=20, interactive=False)
            places = gradio.Textbox(label="Subreddits", interactive=False)
            unused = [gradio.Textbox(label=label, interactive=False) for label in ("Presidio", "Expected labels")]
        with gradio.Row():
            fields = [field for attribute, choices in CHOICES.items() for field in _column(attribute, choices)]
        button = gradio.Button("Next", elem_id="next")
        with gradio.Accordion("Record", open=False):
            record = gradio.Textbox(label="JSON", max_lines=2)
        shown = [comments, places, *unused, record, *fields]
        button.click(study.save_and_open_next, [record, *fields], shown, api_name="next")
        blocks.load(study.open_first, None, shown)
    return blocks


def _column(attribute: str, choices: list[str]) -> list[Any]:
    with gradio.Column(min_width=100, elem_id=attribute):
        value = gradio.Radio(choices, label=attribute) if choices else gradio.Textbox(label=attribute)
        scales = [gradio.Slider(0, 5, step=1, label=name) for name in ("hardness", "certainty")]
        return [value, *scales, gradio.Checkbox(label="required subreddit")]


if __name__ == "__main__":
    profiles_file, answers_file, port = sys.argv[1:]
    page(Study(Path(profiles_file), Path(answers_file))).launch(
        server_name="127.0.0.1", server_port=int(port), share=False, quiet=True, inbrowser=False
    )
