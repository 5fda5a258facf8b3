"""What models put around an answer: their thoughts, channels, tags, and line breaks in HTML."""

import re

_THOUGHT = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis"
THOUGHTS = re.compile(rf"<({_THOUGHT})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
# Some templates open the thoughts themselves, so that the answer only closes them.
END_OF_THOUGHTS = re.compile(rf"</(?:{_THOUGHT})>", re.IGNORECASE)
FINAL_CHANNEL = re.compile(r"<\|channel\|>\s*final\b[^<]{0,100}<\|message\|>", re.IGNORECASE)
SPECIAL_TOKEN = re.compile(r"<\|[\w/]{1,40}\|>")
LINE_BREAK = re.compile(r"<br\s{0,9}/?>", re.IGNORECASE)
FIELD_TAG = re.compile(r"<(type|attribute|inference|guess|guesses|confidence)>([^<>]{0,4000})</\1>", re.IGNORECASE)
BOXED = re.compile(r"\\boxed\{([^{}\n]{0,200})\}")
# Fields that stand in one line: `Type: sex | Inference: a wife | Guess: male`.
SAME_LINE = re.compile(r"(?<=\S)[ \t]+(?:\|[ \t]*)?(?=\*{0,2}(?:Type|Inference|Guess|Guesses|Confidence)\*{0,2}:)")


def unwrap(text: str) -> str:
    """The answer itself. All patterns take time in proportion to the text."""
    text = without_thoughts(FIELD_TAG.sub(r"\n\1: \2\n", text))
    text = SPECIAL_TOKEN.sub("\n", text)
    text = BOXED.sub(r"\1", LINE_BREAK.sub("\n", text))
    return SAME_LINE.sub("\n", text).strip()


def without_thoughts(text: str) -> str:
    """What stands after a model's thoughts, and in its final channel."""
    text = END_OF_THOUGHTS.split(THOUGHTS.sub("", text))[-1]
    return FINAL_CHANNEL.split(text)[-1]
