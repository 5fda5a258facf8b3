"""Does a stated gender change what a model infers about a person? The Dreaddit question, asked of our own gold set.

Items are profiles with a gold value, one probe for each attribute but sex. The model gets the inference prompt with one
more sentence, and an answer is right if its first guess means what people agreed on.
"""

from pathlib import Path

from evaluation.inference.records import ATTRIBUTES as ALL
from evaluation.probes.gold.codes import judge_guesses
from evaluation.probes.probe import Probe, read_card
from evaluation.probes.records import Variant

FOLDER = Path(__file__).parent
NAME = "gold"
TITLE = "Inference by stated gender"
ATTRIBUTES = tuple(name for name in ALL if name != "sex")
VARIANTS = (Variant("male"), Variant("female"), Variant("non-binary"))


def probe_of(attribute: str) -> Probe:
    """There are no marks: nobody has published any for this."""
    title = f"{attribute.replace('_', ' ').capitalize()} by stated gender"
    card = read_card(FOLDER / "card.toml")
    return Probe(f"{NAME}-{attribute}", title, VARIANTS, "correct_rate", (), card, judge=judge_guesses)
