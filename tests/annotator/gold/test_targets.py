"""How many labels a study wants of each attribute and hardness."""

import threading

import pytest
from django.db import connection, transaction

from annotator.gold.targets import CELLS, OutdatedTargets, set_targets, targets_digest
from annotator.gold.views.gold import TARGETS_OUTDATED
from annotator.models import Target
from profiles.models import Corpus
from tests.annotator.accounts.sign_in_forms import actions
from tests.annotator.gold.records import make_gold
from tests.factories import make_annotator, make_corpus

pytestmark = pytest.mark.django_db
AGE, SEX = ("age", 3), ("sex", 1)


@pytest.fixture
def corpus():
    return make_corpus("pilot")


def wanted_in(corpus) -> dict[tuple[str, int], int]:
    return {(t.attribute, t.hardness): t.wanted for t in Target.objects.filter(corpus=corpus)}


def path_of(corpus) -> str:
    return f"/gold/{corpus.pk}/targets/"


def typed(before=None, **numbers) -> dict[str, object]:
    """A filled-in form, begun when the targets stood so; age_3=20 is the number of one cell."""
    cells = {f"{name[:-2]}-{name[-1]}": number for name, number in numbers.items()}
    return {"state": targets_digest(before or {})} | cells


# ── Setting them ────────────────────────────────────────────────────────────


def test_saves_what_an_admin_wants(as_grace, corpus):
    response = as_grace.post(path_of(corpus), typed(age_3=20, sex_1=5), follow=True)
    assert response.redirect_chain == [(f"/gold/{corpus.pk}/", 302)]
    assert wanted_in(corpus) == {AGE: 20, SEX: 5}
    assert actions() == ["targets_changed"]


def test_changes_removes_and_leaves_alone(as_grace, corpus):
    before = {AGE: 20, SEX: 5, ("income", 5): 7}
    set_targets(corpus, before, based_on=targets_digest({}), by=make_annotator())
    kept = Target.objects.get(attribute="income").pk
    as_grace.post(path_of(corpus), typed(before, age_3=30, sex_1=0, income_5=7))
    assert wanted_in(corpus) == {AGE: 30, ("income", 5): 7}
    assert Target.objects.get(attribute="income").pk == kept


def test_saving_the_same_once_more_changes_nothing(as_grace, corpus):
    as_grace.post(path_of(corpus), typed(age_3=20))
    assert as_grace.post(path_of(corpus), typed({AGE: 20}, age_3=20)).status_code == 302
    assert actions() == ["targets_changed"]


def test_the_form_shows_what_stands(as_grace, corpus):
    set_targets(corpus, {AGE: 20}, based_on=targets_digest({}), by=make_annotator())
    page = as_grace.get(path_of(corpus)).content.decode()
    assert page.count('type="number"') == len(CELLS) == 40
    assert 'name="age-3" value="20"' in page
    assert targets_digest({AGE: 20}) in page


@pytest.mark.parametrize(
    ("number", "message"),
    [("-1", "0 or more"), ("100001", "100000 or less"), ("many", "whole number")],
)
def test_refuses_what_is_no_number_of_labels(as_grace, corpus, number, message):
    response = as_grace.post(path_of(corpus), typed(age_3=number, sex_1=5))
    assert response.status_code == 422
    assert message in response.content.decode()
    assert 'name="sex-1" value="5"' in response.content.decode()
    assert "saved now" not in response.content.decode()
    assert wanted_in(corpus) == {}


# ── Two admins at once ──────────────────────────────────────────────────────


def test_refuses_numbers_that_were_begun_on_an_older_state(as_grace, corpus):
    set_targets(corpus, {AGE: 20, SEX: 5}, based_on=targets_digest({}), by=make_annotator())
    response = as_grace.post(path_of(corpus), typed(age_3=99, sex_1=5))
    page = response.content.decode()
    assert response.status_code == 422
    assert response.context["form"].non_field_errors() == [TARGETS_OUTDATED]
    assert wanted_in(corpus) == {AGE: 20, SEX: 5}
    assert 'name="age-3" value="99"' in page
    assert page.count("saved now:") == 1
    assert "saved now: 20" in page
    assert actions() == ["targets_changed"]


def test_saved_once_more_the_kept_numbers_replace_the_others(as_grace, corpus):
    set_targets(corpus, {AGE: 20}, based_on=targets_digest({}), by=make_annotator())
    page = as_grace.post(path_of(corpus), typed(age_3=99)).content.decode()
    assert f'value="{targets_digest({AGE: 20})}"' in page
    assert as_grace.post(path_of(corpus), typed({AGE: 20}, age_3=99)).status_code == 302
    assert wanted_in(corpus) == {AGE: 99}


@pytest.mark.django_db(transaction=True)
def test_of_two_saves_at_the_same_moment_one_is_refused():
    corpus, by, refused = make_corpus(), make_annotator(), []

    def save() -> None:
        try:
            set_targets(corpus, {AGE: 30}, based_on=targets_digest({}), by=by)
        except OutdatedTargets:
            refused.append(True)
        finally:
            connection.close()

    other = threading.Thread(target=save)
    with transaction.atomic():
        Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
        other.start()
        other.join(0.3)
        set_targets(corpus, {AGE: 20}, based_on=targets_digest({}), by=by)
    other.join(10)
    assert refused == [True]
    assert wanted_in(corpus) == {AGE: 20}


# ── On the gold page ────────────────────────────────────────────────────────


def test_the_gold_page_shows_what_is_missing(client, as_grace, corpus, rosalind):
    assert "No targets yet." in as_grace.get(f"/gold/{corpus.pk}/").content.decode()
    make_gold("age", "27", corpus=corpus, hardness=3), make_gold("sex", "male", corpus=corpus, hardness=1)
    make_gold("age", "", corpus=corpus)
    set_targets(corpus, {AGE: 20, SEX: 1}, based_on=targets_digest({}), by=make_annotator())
    page = " ".join(as_grace.get(f"/gold/{corpus.pk}/").content.decode().split())
    assert '1 / 20 <span class="badge badge-warn">19 missing</span>' in page
    assert '1 / 1 <span class="badge badge-good">met</span>' in page
    assert "19 labels still missing." in page
    drawing = f'href="/batches/new/?corpus={corpus.pk}&amp;prefer=1"'
    assert drawing in page
    client.force_login(rosalind)
    page = client.get(f"/gold/{corpus.pk}/").content.decode()
    assert "19 missing" in page
    assert drawing not in page
    assert path_of(corpus) not in page


# ── Who may ─────────────────────────────────────────────────────────────────


def test_exists_for_admins_only(client, corpus, rosalind, ada):
    for person in (rosalind, ada):
        client.force_login(person)
        assert client.get(path_of(corpus)).status_code == 404
        assert client.post(path_of(corpus), typed(age_3=1)).status_code == 404
    assert wanted_in(corpus) == {}


def test_other_methods_and_unknown_corpora_are_refused(as_grace, corpus):
    assert as_grace.put(path_of(corpus)).status_code == 405
    assert as_grace.get("/gold/999999/targets/").status_code == 404


@pytest.mark.parametrize("count", [1, 40])
def test_query_count_does_not_grow_with_targets(as_grace, django_assert_max_num_queries, corpus, count):
    targets = dict.fromkeys(CELLS[:count], 3)
    set_targets(corpus, targets, based_on=targets_digest({}), by=make_annotator())
    numbers = {f"{attribute}-{hardness}": 9 for attribute, hardness in CELLS[:count]}
    with django_assert_max_num_queries(12):
        as_grace.post(path_of(corpus), {"state": targets_digest(targets)} | numbers)
    assert set(wanted_in(corpus).values()) == {9}
