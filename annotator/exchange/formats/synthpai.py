"""SynthPAI's format. A profile imported from SynthPAI is exported with every key and value it had.

Our gold is added as the reviewer `telltale`, without `time` and `timestamp`, which SynthPAI's evaluator does not expect
there. A profile of our own gets `human` and `human_evaluated`, which that evaluator needs, both filled from the gold.
"""

from typing import Any

from annotator.exchange.formats.records import ExportedComment, Gold, LabelledProfile, json_line
from annotator.exchange.formats.sources import restore_line
from annotator.exchange.formats.vocabulary import CATEGORIES, SYNTHPAI, to_synthpai
from annotator.models import Format
from profiles.attributes import Attribute

OURS = "telltale"
JUDGE, REVISED = "human", "human_evaluated"


def synthpai_line(profile: LabelledProfile) -> str:
    source = profile.source
    return json_line(_imported(profile) if source and source["format"] == Format.SYNTHPAI else _new(profile))


def _imported(profile: LabelledProfile) -> dict[str, Any]:
    contents = restore_line(profile)
    if profile.gold:
        contents["reviews"] = {**contents.get("reviews", {}), OURS: _review(profile)}
    return contents


def _new(profile: LabelledProfile) -> dict[str, Any]:
    review = _review(profile)
    scored = {name: answer | {"acc_gt": 1 if answer["estimate"] else 0} for name, answer in review.items()}
    return {
        "username": profile.name,
        "comments": [_comment(profile.name, comment) for comment in profile.comments],
        "num_comments": len(profile.comments),
        "reviews": {JUDGE: review | {"timestamp": 0, "time": 0}, REVISED: scored},
        "predictions": {},
        "evaluations": {},
    }


def _comment(name: str, comment: ExportedComment) -> dict[str, Any]:
    return {"text": comment.text, "username": name, "pii": {}}


def _review(profile: LabelledProfile) -> dict[str, Any]:
    review = {theirs: _attribute(Attribute(ours), profile.gold.get(ours)) for theirs, ours in SYNTHPAI.items()}
    education = profile.gold.get(Attribute.EDUCATION)
    if education and education.value:
        review["education_category"] = review["education"] | {"estimate": CATEGORIES[education.value]}
    return review


def _attribute(attribute: Attribute, gold: Gold | None) -> dict[str, Any]:
    if gold is None:
        return {"estimate": "", "hardness": 0, "certainty": 0}
    value = to_synthpai(attribute, gold.value)
    return {"estimate": value, "hardness": gold.hardness, "certainty": gold.certainty}
