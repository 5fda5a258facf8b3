"""From the text of an answer to predictions: JSON where there is any, otherwise blocks of lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluation.inference.parser.blocks import read_blocks
from evaluation.inference.parser.fields import Fields
from evaluation.inference.parser.guesses import clean_guesses, read_confidence
from evaluation.inference.parser.json_values import read_json
from evaluation.inference.parser.refusals import is_refusal
from evaluation.inference.parser.wrappers import unwrap
from evaluation.inference.records import Prediction

PARSER_VERSION = 2  # of these rules; belongs in the signature
MAX_CHARACTERS = 200_000  # of an answer; what comes later is not read


class Form(StrEnum):
    JSON = "json"
    BLOCKS = "blocks"
    REFUSAL = "refusal"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Reply:
    """Predictions by attribute. Without guesses, the model refused; an attribute that is not here is missing."""

    form: Form
    predictions: Mapping[str, Prediction]


def parse_reply(text: str, attributes: Sequence[str]) -> Reply:
    """Read what an answer says about these attributes. If it repeats one, the last block counts."""
    text = unwrap(text[:MAX_CHARACTERS])
    for form, read in ((Form.JSON, read_json), (Form.BLOCKS, read_blocks)):
        predictions = _predictions(read(text), attributes)
        if predictions:
            return Reply(form, predictions)
    if is_refusal(text):
        return Reply(Form.REFUSAL, {attribute: Prediction(()) for attribute in attributes})
    return Reply(Form.UNREADABLE, {})


def _predictions(parts: Sequence[Fields], attributes: Sequence[str]) -> dict[str, Prediction]:
    by_attribute = {part.attribute: part for part in parts if part.has_content}
    return {name: _prediction(by_attribute[name]) for name in attributes if name in by_attribute}


def _prediction(fields: Fields) -> Prediction:
    guesses, stated = clean_guesses(fields.attribute, fields.guesses)
    confidence = read_confidence(fields.confidence)
    return Prediction(guesses, fields.inference.strip(), stated if confidence is None else confidence)
