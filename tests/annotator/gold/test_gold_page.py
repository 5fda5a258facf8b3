"""The gold set in numbers, and the records behind each number."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from annotator.core.jobs import LABELS
from annotator.gold.consensus import RULE
from annotator.gold.queries.builds import BUILD_LABELS
from annotator.gold.queries.gold import gold_of
from annotator.gold.stamps import current_stamp
from annotator.models import Dispute, GoldBuild
from profiles.jobs.states import State
from tests.annotator.gold.records import in_a_batch, make_gold
from tests.annotator.quality.practice_batches import make_known, make_practice_of
from tests.factories import make_assignment, make_batch, make_corpus, make_profile

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


@pytest.fixture
def corpus():
    return make_corpus("pilot")


def page_of(client, corpus, path: str = "") -> str:
    response = client.get(f"/gold/{corpus.pk}/{path}")
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def is_stale(client, corpus) -> bool:
    return client.get(f"/gold/{corpus.pk}/").context["is_stale"]


def row_of(corpus, attribute: str):
    return next(row for row in gold_of(corpus).rows if row.attribute == attribute)


# ── Numbers ─────────────────────────────────────────────────────────────────


def test_counts_values_negatives_and_how_they_were_reached(corpus, grace):
    make_gold("age", "27", corpus=corpus)
    make_gold("age", "", corpus=corpus, reached="consensus")
    make_gold("age", "31", corpus=corpus, reached="adjudicated", decided_by=grace, required_subreddit=True)
    make_gold("age", "44")  # of another corpus
    row = row_of(corpus, "age")
    assert (row.values, row.negatives, row.required) == (2, 1, 1)
    assert row.reached == (1, 1, 0, 1)
    assert gold_of(corpus).total.records == 3


def test_open_is_what_is_neither_agreed_nor_disputed(corpus, ada):
    agreed, disputed, decided_anew, waiting = (make_profile(corpus=corpus) for _ in range(4))
    in_a_batch(agreed, disputed, decided_anew, waiting)
    make_gold("sex", "male", profile=agreed), make_gold("sex", "male", profile=decided_anew)
    for profile, kind in ((disputed, "value"), (decided_anew, "changed")):
        Dispute.objects.create(profile=profile, attribute="sex", kind=kind, severity=1, judgement_count=2)
    make_assignment(batch=make_batch(corpus=corpus), profile=make_profile(corpus=corpus), is_planted=True)
    practised = make_known(corpus=corpus)
    make_assignment(batch=make_practice_of(practised), profile=practised, annotator=ada)
    row = row_of(corpus, "sex")
    assert (row.disputed, row.open) == (2, 1)
    assert gold_of(corpus).profiles == 4


def test_every_number_of_a_heat_map_is_the_length_of_its_list(as_grace, corpus):
    for hardness, certainty in ((1, 5), (1, 5), (3, 2)):
        make_gold("age", "27", corpus=corpus, hardness=hardness, certainty=certainty)
    make_gold("sex", "male", corpus=corpus, hardness=1, certainty=5)
    make_gold("sex", "", corpus=corpus)
    page = page_of(as_grace, corpus, "?attribute=age")
    assert "Age by hardness and certainty" in page
    cells = re.findall(r'<td class="heat-\d"><a href="/gold/\d+/records/\?([^"]*)">(\d+)</a>', page)
    assert len(cells) == 3 + 3 + 2
    for query, number in cells:
        listed = as_grace.get(f"/gold/{corpus.pk}/records/?{query.replace('&amp;', '&')}").context["page"]
        assert listed.paginator.count == int(number)


def test_says_when_it_was_worked_out_and_how_far_it_is(as_grace, corpus):
    assert "Not built yet" in page_of(as_grace, corpus)
    now = timezone.now()
    build = GoldBuild.objects.create(corpus=corpus, rule="consensus/1", built_at=now)
    assert "by consensus/1" in page_of(as_grace, corpus)
    assert "gold-build" not in page_of(as_grace, corpus)
    build.began_at, build.beat_at, build.done, build.total = now - timedelta(seconds=10), now, 500, 1200
    build.save(update_fields=["began_at", "beat_at", "done", "total"])
    page = page_of(as_grace, corpus)
    assert f">{BUILD_LABELS[State.RUNNING]}</span>" in page
    assert "500 of 1 200 profiles" in page
    assert "50 profiles a second · 14 s left" in page


def test_asks_again_while_it_is_being_worked_out_and_then_loads_the_page_anew(as_grace, corpus):
    path, now = f"/gold/{corpus.pk}/", timezone.now()
    GoldBuild.objects.create(corpus=corpus, rule=RULE, began_at=now, beat_at=now, done=500, total=1000)
    assert f'hx-get="{path}?told=' in page_of(as_grace, corpus)
    fragment = as_grace.get(path, headers=HTMX).content.decode()
    assert 'hx-trigger="every 2s"' in fragment
    assert "<h1>" not in fragment
    GoldBuild.objects.update(finished_at=now, built_at=now, stamp=current_stamp(corpus))
    assert as_grace.get(path, headers=HTMX)["HX-Refresh"] == "true"
    assert "hx-trigger" not in page_of(as_grace, corpus)


def test_reads_out_each_state_and_tenth_once(as_grace, corpus):
    path, now = f"/gold/{corpus.pk}/", timezone.now()
    GoldBuild.objects.create(corpus=corpus, rule=RULE, began_at=now, beat_at=now, done=29, total=100)
    label, region = BUILD_LABELS[State.RUNNING], 'role="status" aria-live="polite"'
    assert region in page_of(as_grace, corpus)
    fragment = as_grace.get(path, {"told": f"{label}, 10\u202f%"}, headers=HTMX).content.decode()
    news = f'<div hx-swap-oob="innerHTML:#progress-told">{label}, 20\u202f%</div>'
    assert news in fragment
    assert region not in fragment
    assert news not in as_grace.get(path, {"told": f"{label}, 20\u202f%"}, headers=HTMX).content.decode()


def test_a_build_that_failed_says_why_and_stops_asking(as_grace, corpus, ada):
    """Also where more was submitted since: a page that is left open would start one failing build after another."""
    make_assignment(profile=make_profile(corpus=corpus), annotator=ada, submitted_at=timezone.now())
    now = timezone.now()
    GoldBuild.objects.create(corpus=corpus, began_at=now, beat_at=now, finished_at=now, problem="The disk is full.")
    page = page_of(as_grace, corpus)
    assert "The disk is full." in page
    assert "hx-trigger" not in page


def test_a_build_that_was_killed_says_so(as_grace, corpus):
    long_ago = timezone.now() - timedelta(minutes=5)
    GoldBuild.objects.create(corpus=corpus, rule=RULE, began_at=long_ago, beat_at=long_ago)
    page = page_of(as_grace, corpus)
    assert LABELS[State.SILENT] in page
    assert "hx-trigger" not in page


def test_asks_for_it_to_be_worked_out_again(as_grace, corpus):
    response = as_grace.post(f"/gold/{corpus.pk}/rebuild/", follow=True)
    assert response.redirect_chain == [(f"/gold/{corpus.pk}/", 302)]
    assert len(response.context["messages"]) == 1


def test_what_was_submitted_since_is_asked_for_by_looking(as_grace, corpus, ada):
    assert not is_stale(as_grace, corpus)
    make_assignment(profile=make_profile(corpus=corpus), annotator=ada, submitted_at=timezone.now())
    assert is_stale(as_grace, corpus)
    page = page_of(as_grace, corpus)
    assert LABELS[State.WAITING] in page
    assert 'hx-trigger="every 2s"' in page
    GoldBuild.objects.create(corpus=corpus, rule=RULE, built_at=timezone.now(), stamp=current_stamp(corpus))
    assert not is_stale(as_grace, corpus)


def test_leads_admins_to_the_disputes(client, as_grace, corpus, rosalind):
    profile = make_profile(corpus=corpus)
    Dispute.objects.create(profile=profile, attribute="sex", kind="value", severity=1, judgement_count=2)
    link = f'href="/adjudication/?corpus={corpus.pk}&amp;attribute=sex"'
    assert link in page_of(as_grace, corpus)
    client.force_login(rosalind)
    assert link not in page_of(client, corpus)


def test_one_corpus_is_shown_at_once_and_several_are_listed(as_grace, corpus):
    make_gold("age", "27", corpus=corpus), make_gold("sex", "", corpus=corpus)
    assert as_grace.get("/gold/").url == f"/gold/{corpus.pk}/"
    make_corpus("other")
    page = " ".join(as_grace.get("/gold/").content.decode().split())
    numbers = "".join(f' <td class="num">{number}</td>' for number in (0, 1, 1, 0))
    assert f'<a href="/gold/{corpus.pk}/">pilot</a></th>{numbers}' in page


def test_says_what_gold_is_where_there_is_no_corpus(as_grace):
    assert "Gold is what evaluators agree on" in as_grace.get("/gold/").content.decode()


# ── Records ─────────────────────────────────────────────────────────────────


def test_lists_records_with_who_said_what_by_code(as_grace, corpus, ada):
    record = make_gold("location", "oslo <b>", corpus=corpus, by=ada, required_subreddit=True)
    page = page_of(as_grace, corpus, "records/")
    assert f'<a href="/profiles/{record.profile_id}/">{record.profile.pseudonym}</a>' in page
    assert "oslo &lt;b&gt;" in page
    assert ada.code in page
    assert "Ada" not in page
    assert "subreddit required" in page
    assert "One annotator" in page


def test_zero_asks_for_what_could_not_be_inferred(as_grace, corpus):
    make_gold("age", "", corpus=corpus), make_gold("age", "27", corpus=corpus)
    assert as_grace.get(f"/gold/{corpus.pk}/records/?hardness=0").context["page"].paginator.count == 1
    assert as_grace.get(f"/gold/{corpus.pk}/records/?required_subreddit=0").context["page"].paginator.count == 2


def test_a_filter_that_makes_no_sense_is_told_and_left_out(as_grace, corpus):
    make_gold("age", "27", corpus=corpus)
    page = page_of(as_grace, corpus, "records/?hardness=9&attribute=shoe")
    assert "“9” is not one of the choices" in page
    assert "1 to 1 of 1" in page
    assert "1 to 1 of 1" not in page_of(as_grace, corpus, "records/?attribute=sex")


def test_offers_an_export_of_the_same_records(as_grace, corpus):
    page = page_of(as_grace, corpus, "records/?attribute=age&hardness=3&certainty=2&reached=adjudicated")
    query = "attributes=age&amp;hardness=3&amp;min_certainty=2&amp;adjudicated_only=on"
    assert f'href="/exports/?corpus={corpus.pk}&amp;{query}"' in page


def test_long_lists_come_in_pages_of_the_same_list(as_grace, corpus):
    for _ in range(51):
        make_gold("age", "27", corpus=corpus)
    page = page_of(as_grace, corpus, "records/?attribute=age")
    assert "1 to 50 of 51" in page
    assert 'href="?attribute=age&amp;page=2"' in page
    assert "51 to 51 of 51" in page_of(as_grace, corpus, "records/?attribute=age&page=99")


# ── Who may ─────────────────────────────────────────────────────────────────


def test_exists_for_those_who_run_the_study(client, as_ada, corpus, rosalind):
    for path in ("/gold/", f"/gold/{corpus.pk}/", f"/gold/{corpus.pk}/records/"):
        assert as_ada.get(path).status_code == 404
    assert as_ada.post(f"/gold/{corpus.pk}/rebuild/").status_code == 404
    client.force_login(rosalind)
    assert client.get(f"/gold/{corpus.pk}/").status_code == 200
    assert client.get(f"/gold/{corpus.pk}/rebuild/").status_code == 405
    assert client.post(f"/gold/{corpus.pk}/").status_code == 405
    assert client.get(f"/gold/{make_corpus(ready=False).pk}/").status_code == 404


@pytest.mark.parametrize("records", [1, 6])
def test_query_count_does_not_grow_with_records(as_grace, django_assert_num_queries, corpus, ada, records):
    for _ in range(records):
        in_a_batch(make_gold("age", "27", corpus=corpus, by=ada).profile)
    make_corpus("other")
    as_grace.get("/account/")
    with django_assert_num_queries(
        10
    ):  # person, corpus, staleness, records, disputes, profiles, build, targets, waiting, prompted
        page_of(as_grace, corpus)
    with django_assert_num_queries(5):  # person, corpus, count, records, codes
        page_of(as_grace, corpus, "records/")
    with django_assert_num_queries(4):  # person, corpus, staleness, build
        as_grace.get(f"/gold/{corpus.pk}/", headers=HTMX)
    with django_assert_num_queries(5):  # person, corpora, records, disputes, profiles
        as_grace.get("/gold/")
