"""Match profiles of a file with those in the corpus, and create new ones with their comments."""

from collections.abc import Sequence

from annotator.exchange.imports.records import IncomingProfile
from annotator.models import LabelImport, SourceRecord
from profiles.accounts import forgotten_digests
from profiles.encryption import account_digest
from profiles.ingest.columns import GroupedComment
from profiles.ingest.corpus_writer import CorpusWriter
from profiles.models import Corpus, Profile
from profiles.pseudonyms import pseudonym

FORGOTTEN = "The account was removed from this study and must not come back."
NO_TEXTS = "The comments have no texts, and the profile is not in the corpus."

ProfileIds = dict[int, int]  # by line


def match_profiles(
    label_import: LabelImport, corpus: Corpus, incoming: Sequence[IncomingProfile]
) -> tuple[ProfileIds, int]:
    """Return the profile of each accepted line, and how many are new.

    An existing profile gets no comments: a corpus stays what its rules made it.
    """
    allowed = _without_forgotten(incoming)
    existing = _existing(corpus, allowed)
    unknown = [profile for profile in allowed if profile.line not in existing]
    for profile in unknown:
        if not profile.has_texts:
            profile.leave_out(NO_TEXTS)
    complete = [profile for profile in unknown if profile.has_texts]
    new = _create(label_import, corpus, complete) if complete else {}
    return existing | new, len(new)


def _without_forgotten(incoming: Sequence[IncomingProfile]) -> list[IncomingProfile]:
    """Leave out forgotten accounts, by name and pseudonym. No account can be forgotten until the transaction ends."""
    digests = forgotten_digests()
    names = {pseudonym(digest) for digest in digests}
    for profile in incoming:
        if account_digest(profile.account) in digests or profile.pseudonym in names:
            profile.leave_out(FORGOTTEN)
    return [profile for profile in incoming if not any(item.reason == FORGOTTEN for item in profile.set_aside)]


def _existing(corpus: Corpus, incoming: Sequence[IncomingProfile]) -> ProfileIds:
    digests = {account_digest(profile.account): profile.line for profile in incoming}
    names = {profile.pseudonym: profile.line for profile in incoming if profile.pseudonym}
    profiles = Profile.objects.filter(corpus=corpus)
    by_account = {
        digests[bytes(digest)]: pk
        for pk, digest in profiles.filter(account_digest__in=list(digests)).values_list("pk", "account_digest")
    }
    by_pseudonym = profiles.filter(pseudonym__in=names).values_list("pk", "pseudonym")
    return {names[name]: pk for pk, name in by_pseudonym} | by_account


def _create(label_import: LabelImport, corpus: Corpus, incoming: Sequence[IncomingProfile]) -> ProfileIds:
    CorpusWriter(corpus).write_rows(row for profile in incoming for row in _comment_rows(profile))
    digests = {account_digest(profile.account): profile for profile in incoming}
    profiles = list(Profile.objects.filter(corpus=corpus, account_digest__in=list(digests)))
    _keep_pseudonyms(corpus, profiles, digests)
    ids = {digests[bytes(profile.account_digest)].line: profile.pk for profile in profiles}
    SourceRecord.objects.bulk_create(
        [
            SourceRecord(profile_id=ids[profile.line], label_import=label_import, contents=profile.source or {})
            for profile in incoming
        ],
        ignore_conflicts=True,
    )
    return ids


def _comment_rows(profile: IncomingProfile) -> list[GroupedComment]:
    return [
        GroupedComment(
            account=profile.account.lower(),
            author=profile.account,
            subreddit=comment.subreddit,
            id=comment.id,
            created=int(comment.written_at.timestamp()),
            body=comment.text,
            copy=comment.copy,
        )
        for comment in profile.comments
        if comment.text
    ]


def _keep_pseudonyms(corpus: Corpus, profiles: list[Profile], digests: dict[bytes, IncomingProfile]) -> None:
    """Keep pseudonyms from the file, so that profiles are recognised. `_existing` has checked that they are free."""
    changed = []
    for profile in profiles:
        name = digests[bytes(profile.account_digest)].pseudonym
        if name and profile.pseudonym != name:
            profile.pseudonym = name
            changed.append(profile)
    Profile.objects.bulk_update(changed, ["pseudonym"])
