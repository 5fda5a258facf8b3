"""What an admin does with a dispute, through the site's pages."""

from annotator.gold.build import build_gold
from annotator.gold.judgements import counted_judgements, fingerprint
from annotator.models import GoldRecord, Judgement
from tests.annotator.gold.builds import disputed


def built(*values, attribute="age", **fields):
    profile = disputed(*values, attribute=attribute, **fields)
    build_gold(profile.corpus)
    return profile


def at(profile, *more):
    return "/".join([f"/adjudication/{profile.pk}", *more, ""])


def seen(profile, attribute="age"):
    gold = GoldRecord.objects.filter(profile=profile, attribute=attribute).first()
    judgements = counted_judgements(profile.corpus, [profile.pk])[profile.pk, attribute]
    return fingerprint(judgements, gold and gold.decided_at)


def judgement(value):
    return Judgement.objects.get(value=value).pk


def accept(client, profile, value, **fields):
    payload = {"how": "accept", "seen": seen(profile), "judgement": judgement(value)}
    return client.post(at(profile, "age"), payload | fields)


def write(client, profile, how="write", attribute="age", **fields):
    rated = {"hardness": 3, "certainty": 2, "reason": "both are half right"}
    return client.post(at(profile, attribute), {"how": how, "seen": seen(profile, attribute)} | rated | fields)


def text(response):
    return response.content.decode()
