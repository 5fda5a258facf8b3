"""SynthPAI's format. A profile imported from SynthPAI is exported with every key and value it had.

SynthPAI's evaluator needs the reviewer `human_evaluated` and counts every reviewer there is, apart from `human` or
`human_evaluated`. So our consensus is `human_evaluated`, and no other reviewer is added. It has no `time` and
`timestamp`, which the evaluator takes for attributes. Labels that it replaces move to the key `telltale` of the line,
which SynthPAI's loader ignores.
"""

from typing import Any

from annotator.exchange.formats.records import ExportedComment, Gold, LabelledProfile, Status, json_line
from annotator.exchange.formats.sources import restore_line
from annotator.exchange.formats.vocabulary import CATEGORIES, SYNTHPAI, read_foreign, to_synthpai
from annotator.models import Format, Reached
from profiles.attributes import Attribute

OURS = "telltale"  # a key of the line; in older exports, a reviewer
JUDGE, REVISED = "human", "human_evaluated"


def synthpai_line(profile: LabelledProfile, *, is_filtered: bool = False) -> str:
    source = profile.source
    is_imported = source and source["format"] == Format.SYNTHPAI
    return json_line(_imported(profile, is_filtered) if is_imported else _new(profile))


def is_consensus(review: object) -> bool:
    """True for a review that we computed: its attributes have a status, also after SynthPAI's scripts rewrote it."""
    labels = list(review.values()) if isinstance(review, dict) else []
    return any(isinstance(label, dict) and label.get("status") in list(Status) for label in labels)


def _imported(profile: LabelledProfile, is_filtered: bool) -> dict[str, Any]:
    contents = restore_line(profile)
    reviews = contents.get("reviews")
    if not isinstance(reviews, dict):
        return contents
    contents["reviews"] = reviews = {name: review for name, review in reviews.items() if name != OURS}
    if profile.gold and (is_filtered or _says_more(profile, reviews)):
        _put_consensus(contents, reviews, profile)
    return contents


def _put_consensus(contents: dict[str, Any], reviews: dict[str, Any], profile: LabelledProfile) -> None:
    replaced = reviews.get(REVISED)
    reviews[REVISED] = _review(profile)
    if replaced is not None and not is_consensus(replaced):
        contents[OURS] = {"replaced": replaced}


def _says_more(profile: LabelledProfile, reviews: dict[str, Any]) -> bool:
    """Whether the gold is more than what the line's own reviewer said. If not, the line goes out as it came."""
    if Status.DISPUTED in profile.missing.values() or any(
        gold.reached != Reached.SINGLE for gold in profile.gold.values()
    ):
        return True
    own = reviews.get(JUDGE) or (reviews.get(REVISED) if is_consensus(reviews.get(REVISED)) else None) or {}
    return any(
        not _is_same(own, theirs, profile.gold[ours]) for theirs, ours in SYNTHPAI.items() if ours in profile.gold
    )


def _is_same(review: dict[str, Any], name: str, gold: Gold) -> bool:
    label, category = review.get(name) or {}, review.get("education_category") or {}
    read = read_foreign(
        Attribute(SYNTHPAI[name]), str(label.get("estimate") or ""), str(category.get("estimate") or "")
    )
    ratings = (label.get("hardness") or 0, label.get("certainty") or 0)
    return (read.value, *ratings) == (gold.value, gold.hardness, gold.certainty)


def _new(profile: LabelledProfile) -> dict[str, Any]:
    return {
        "username": profile.name,
        "comments": [_comment(profile.name, comment) for comment in profile.comments],
        "num_comments": len(profile.comments),
        "reviews": {REVISED: _review(profile)},
        "predictions": {},
        "evaluations": {},
    }


def _comment(name: str, comment: ExportedComment) -> dict[str, Any]:
    return {"text": comment.text, "username": name, "pii": {}}


def _review(profile: LabelledProfile) -> dict[str, Any]:
    review = {theirs: _attribute(profile, Attribute(ours)) for theirs, ours in SYNTHPAI.items()}
    education = profile.gold.get(Attribute.EDUCATION)
    if education and education.value:
        review["education_category"] = review["education"] | {"estimate": CATEGORIES[education.value]}
    return review


def _attribute(profile: LabelledProfile, attribute: Attribute) -> dict[str, Any]:
    """`acc_gt` says how far a label fits the truth. The gold is what we know of it, so it is 1 for every value."""
    gold = profile.gold.get(attribute)
    if gold is None:
        return {"estimate": "", "hardness": 0, "certainty": 0, "acc_gt": 0, "status": profile.why_missing(attribute)}
    return {
        "estimate": to_synthpai(attribute, gold.value),
        "hardness": gold.hardness,
        "certainty": gold.certainty,
        "acc_gt": 1 if gold.value else 0,
        "status": gold.status,
    }
