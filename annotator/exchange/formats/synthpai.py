"""SynthPAI's format. A profile that came in as SynthPAI goes out with every key and value it came with.

What came in stands under the names it had; ours is added as the reviewer `telltale`, without `time` and `timestamp`,
which SynthPAI's evaluator does not expect there. A profile of our own gets `human` and `human_evaluated`, which that
evaluator asks for, both made of the gold.
"""

from typing import Any

from annotator.exchange.formats.canonical import line
from annotator.exchange.formats.records import Gold, LabelledProfile, WrittenComment
from annotator.exchange.formats.sources import restored
from annotator.exchange.formats.vocabulary import CATEGORIES, SYNTHPAI, as_synthpai
from annotator.models import Format
from profiles.attributes import Attribute

OURS = "telltale"
JUDGE, REVISED = "human", "human_evaluated"


def synthpai_line(profile: LabelledProfile) -> str:
    source = profile.source
    return line(_returned(profile) if source and source["format"] == Format.SYNTHPAI else _new(profile))


def _returned(profile: LabelledProfile) -> dict[str, Any]:
    written = restored(profile)
    if profile.gold:
        written["reviews"] = {**written.get("reviews", {}), OURS: _reviewed(profile)}
    return written


def _new(profile: LabelledProfile) -> dict[str, Any]:
    reviewed = _reviewed(profile)
    scored = {name: said | {"acc_gt": 1 if said["estimate"] else 0} for name, said in reviewed.items()}
    return {
        "username": profile.name,
        "comments": [_comment(profile.name, comment) for comment in profile.comments],
        "num_comments": len(profile.comments),
        "reviews": {JUDGE: reviewed | {"timestamp": 0, "time": 0}, REVISED: scored},
        "predictions": {},
        "evaluations": {},
    }


def _comment(name: str, comment: WrittenComment) -> dict[str, Any]:
    return {"text": comment.text, "username": name, "pii": {}}


def _reviewed(profile: LabelledProfile) -> dict[str, Any]:
    reviewed = {theirs: _attribute(Attribute(ours), profile.gold.get(ours)) for theirs, ours in SYNTHPAI.items()}
    education = profile.gold.get(Attribute.EDUCATION)
    if education and education.value:
        reviewed["education_category"] = reviewed["education"] | {"estimate": CATEGORIES[education.value]}
    return reviewed


def _attribute(attribute: Attribute, gold: Gold | None) -> dict[str, Any]:
    if gold is None:
        return {"estimate": "", "hardness": 0, "certainty": 0}
    value = as_synthpai(attribute, gold.value)
    return {"estimate": value, "hardness": gold.hardness, "certainty": gold.certainty}
