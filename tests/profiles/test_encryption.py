"""Account names: sealed, found again by digest, and unreadable without the key."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.encryption import OTHER_KEY, WrongKey, account_digest, seal, unseal
from profiles.pseudonyms import pseudonym


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_what_is_sealed_can_be_opened(text):
    assert unseal(seal(text)) == text


def test_another_key_opens_nothing_and_says_so(settings):
    sealed = seal("tinroof_rusty")
    settings.ACCOUNT_KEY = "another key"
    with pytest.raises(WrongKey, match=OTHER_KEY):
        unseal(sealed)


def test_the_same_account_gives_the_same_digest_and_another_key_another_one(settings):
    digest = account_digest("tinroof_rusty")
    assert digest == account_digest("tinroof_rusty")
    assert len(digest) == 16
    settings.ACCOUNT_KEY = "another key"
    assert digest != account_digest("tinroof_rusty")


def test_the_digest_is_the_same_in_any_case():
    assert account_digest("Tinroof_Rusty") == account_digest("tinroof_rusty") == account_digest("TINROOF_RUSTY")
    assert account_digest("tinroof-rusty") != account_digest("tinroof_rusty")


@given(st.binary(min_size=16, max_size=16))
def test_a_pseudonym_is_two_words_and_five_letters(digest):
    words = pseudonym(digest).split("-")
    assert [len(words), len(words[2])] == [3, 5]
    assert pseudonym(digest) == pseudonym(digest)


def test_pseudonyms_of_a_hundred_thousand_accounts_all_differ(settings):
    settings.ACCOUNT_KEY = "a key for which they do"  # with one random key in seventy, two of them are equal
    names = {pseudonym(account_digest(f"account{number}")) for number in range(100_000)}
    assert len(names) == 100_000
