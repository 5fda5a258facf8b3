"""Gold records for tests of the pages about them."""

from annotator.models import Annotator, GoldRecord, PromptedAnswer
from profiles.models import Corpus, Profile
from tests.factories import make_annotator, make_assignment, make_batch, make_profile


def make_gold(
    attribute: str = "location", value: str = "houston", *, by: Annotator | None = None, **fields
) -> GoldRecord:
    """A value of hardness 2 and certainty 4, or a recorded negative, for the `profile` or for a new one in `corpus`."""
    corpus: Corpus | None = fields.pop("corpus", None)
    profile: Profile = fields.pop("profile", None) or make_profile(corpus=corpus)
    rated = {"hardness": 2, "certainty": 4} if value else {}
    values = {"reached": "single", "rule": "consensus/1"} | rated | fields
    ratings = {name: values.get(name, 0) for name in ("hardness", "certainty")}
    snapshot = [{"judgement": 1, "annotator": by.pk, "batch": 1, "value": value, **ratings}] if by else []
    return GoldRecord.objects.create(profile=profile, attribute=attribute, value=value, said=snapshot, **values)


def in_a_batch(*profiles: Profile) -> None:
    batch = make_batch(corpus=profiles[0].corpus)
    for profile in profiles:
        make_assignment(batch=batch, profile=profile)


def make_prompted(
    attribute: str = "income", value: str = "high", *, profile: Profile, prompted_by: str = "tiny", **fields
) -> PromptedAnswer:
    """An answer that somebody confirmed after `prompted_by` had claimed it."""
    values = {"hardness": 3, "certainty": 4} | fields
    by = values.pop("decided_by", None) or make_annotator()
    return PromptedAnswer.objects.create(
        profile=profile, attribute=attribute, value=value, prompted_by=prompted_by, decided_by=by, **values
    )
