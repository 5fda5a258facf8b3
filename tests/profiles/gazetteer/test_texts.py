"""Texts in one piece are the same texts."""

from bisect import bisect_left

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.gazetteer.texts import RepeatedTexts, Texts

LISTS = st.lists(st.text(alphabet=st.characters(codec="utf-8"), max_size=5))


@pytest.mark.parametrize("packed", [Texts, RepeatedTexts])
@given(texts=LISTS, part=st.slices(10))
def test_reads_like_the_list(packed, texts, part):
    assert list(packed(texts)) == texts
    assert [packed(texts)[at] for at in range(-len(texts), 0)] == texts
    assert packed(texts)[part] == texts[part]
    with pytest.raises(IndexError):
        packed(texts)[len(texts)]


@given(LISTS, st.text(max_size=5))
def test_is_searched_like_the_list(texts, text):
    assert bisect_left(Texts(sorted(texts)), text) == bisect_left(sorted(texts), text)
