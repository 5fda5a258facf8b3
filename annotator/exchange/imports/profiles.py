"""Profiles of a file: those that are here already, and those that are new, with their comments."""

from collections.abc import Sequence

from annotator.exchange.imports.records import IncomingProfile
from annotator.models import LabelImport, SourceRecord
from profiles.accounts import forgotten_digests
from profiles.encryption import account_digest
from profiles.models import Corpus, Profile
from profiles.pseudonyms import pseudonym

FORGOTTEN = "Its account was removed from this study and must not come back."
NO_TEXTS = "Its comments have no texts, and the corpus does not have this profile."

Found = dict[int, int]  # line → profile


def take_profiles(label_import: LabelImport, corpus: Corpus, incoming: Sequence[IncomingProfile]) -> tuple[Found, int]:
    """The profile of each line that has one from now on, and how many are new. Comments are never added to one
    that was here: a corpus stays what its rules made it."""
    allowed = _without_forgotten(incoming)
    there = _there(corpus, allowed)
    fresh = [one for one in allowed if one.line not in there]
    for one in fresh:
        if not one.has_texts:
            one.leave_out(NO_TEXTS)
    fresh = [one for one in fresh if one.has_texts]
    new = _add(label_import, corpus, fresh) if fresh else {}
    return there | new, len(new)


def _without_forgotten(incoming: Sequence[IncomingProfile]) -> list[IncomingProfile]:
    """By the account, or by the pseudonym that it had here. Until the transaction ends nobody can be forgotten."""
    digests = forgotten_digests()
    names = {pseudonym(digest) for digest in digests}
    for one in incoming:
        if account_digest(one.account) in digests or one.pseudonym in names:
            one.leave_out(FORGOTTEN)
    return [one for one in incoming if not any(left.reason == FORGOTTEN for left in one.set_aside)]


def _there(corpus: Corpus, incoming: Sequence[IncomingProfile]) -> Found:
    digests = {account_digest(one.account): one.line for one in incoming}
    names = {one.pseudonym: one.line for one in incoming if one.pseudonym}
    profiles = Profile.objects.filter(corpus=corpus)
    found = {
        digests[bytes(digest)]: pk
        for pk, digest in profiles.filter(account_digest__in=list(digests)).values_list("pk", "account_digest")
    }
    return {names[name]: pk for pk, name in profiles.filter(pseudonym__in=names).values_list("pk", "pseudonym")} | found


def _add(label_import: LabelImport, corpus: Corpus, fresh: Sequence[IncomingProfile]) -> Found:
    rows = [row for one in fresh for row in _rows(one)]
    _fill(corpus, rows)
    digests = {account_digest(one.account): one for one in fresh}
    profiles = list(Profile.objects.filter(corpus=corpus, account_digest__in=list(digests)))
    _keep_pseudonyms(corpus, profiles, digests)
    found = {digests[bytes(profile.account_digest)].line: profile.pk for profile in profiles}
    SourceRecord.objects.bulk_create(
        [
            SourceRecord(profile_id=found[one.line], label_import=label_import, contents=one.source)
            for one in fresh
            if one.source
        ],
        ignore_conflicts=True,
    )
    return found


def _fill(corpus: Corpus, rows: list[dict[str, object]]) -> None:
    """By COPY, as an ingest does. Only imports pay for its libraries, not every web process."""
    import pyarrow as pa  # noqa: PLC0415

    from profiles.ingest.comment_batches import GROUPED_SCHEMA  # noqa: PLC0415
    from profiles.ingest.corpus_writer import CorpusWriter  # noqa: PLC0415

    CorpusWriter(corpus).write_rows(pa.Table.from_pylist(rows, schema=GROUPED_SCHEMA))


def _rows(profile: IncomingProfile) -> list[dict[str, object]]:
    return [
        {
            "account": profile.account.lower(),
            "author": profile.account,
            "subreddit": comment.subreddit,
            "id": comment.id,
            "created": int(comment.written_at.timestamp()),
            "body": comment.text,
            "copy": comment.copy,
        }
        for comment in profile.comments
        if comment.text
    ]


def _keep_pseudonyms(corpus: Corpus, profiles: list[Profile], digests: dict[bytes, IncomingProfile]) -> None:
    """A name that Telltale gave is kept, so that a profile is known again. `_there` found none that has it."""
    changed = []
    for profile in profiles:
        wanted = digests[bytes(profile.account_digest)].pseudonym
        if wanted and profile.pseudonym != wanted:
            profile.pseudonym = wanted
            changed.append(profile)
    Profile.objects.bulk_update(changed, ["pseudonym"])
