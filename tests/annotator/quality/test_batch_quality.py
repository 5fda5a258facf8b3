"""The quality of the labels in a batch, for admins only."""

import pytest
from django.utils import timezone

from annotator.models import Assignment, AuditEntry, Batch, Flag, Role, SkipReason
from annotator.quality.queries.known_profiles import KnownTally
from annotator.quality.services import planted_profiles
from annotator.quality.services.practice import IS_PRACTICE_ITSELF
from profiles.attributes import Attribute
from tests.annotator.quality.practice_batches import make_known, make_practice_of, submitted
from tests.factories import make_annotator, make_assignment, make_batch, make_profile

pytestmark = pytest.mark.django_db


def at(batch, action: str = "quality/") -> str:
    return f"/batches/{batch.pk}/{action}"


def page_of(client, batch) -> str:
    response = client.get(at(batch))
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def skip(batch, annotator, remark: str = "only emoji") -> Assignment:
    return make_assignment(
        batch=batch, annotator=annotator, skipped_at=timezone.now(), skip_reason="too_little", skip_remark=remark
    )


@pytest.fixture
def batch(ada):
    """Ada submitted a planted profile and an ordinary one, and skipped one."""
    batch = make_batch()
    known = make_known(corpus=batch.corpus, location="houston / texas / united states", age="27", sex="male")
    submitted(ada, known, batch, planted=True, location="houston / texas / united states", sex="female")
    submitted(ada, make_profile(corpus=batch.corpus), batch, location="oslo")
    skip(batch, ada)
    return batch


# ── What it shows ───────────────────────────────────────────────────────────


def test_shows_what_was_made_of_planted_profiles_and_of_no_others(as_grace, batch, ada):
    response, planted = as_grace.get(at(batch)), batch.assignments.get(is_planted=True)
    (result,) = response.context["results"]
    assert [checked.assignment for checked in result.profiles] == [planted]
    tallies = dict(result.by_attribute)
    assert (tallies[Attribute.SEX], tallies[Attribute.AGE]) == (KnownTally(differing=1), KnownTally(missed=1))
    assert tallies[Attribute.LOCATION] == KnownTally(agreeing=1)
    assert result.profiles[0].verdict in response.content.decode()
    assert f'<a href="{at(batch)}{planted.pk}/">' in response.content.decode()


def test_the_details_are_the_page_about_practice(as_grace, batch):
    planted = batch.assignments.get(is_planted=True)
    response = as_grace.get(f"{at(batch)}{planted.pk}/")
    page, comment = response.content.decode(), planted.profile.comments.get()
    assert response.templates[0].name == "annotator/quality/practice.html"
    assert "Ada" in page
    assert f'href="/profiles/{planted.profile_id}/?subreddit=AskReddit#comment-{comment.pk}"' in page
    assert f"/batches/{batch.pk}/continue/" not in page


def test_details_exist_for_known_profiles_only(as_grace, batch, ada):
    ordinary = batch.assignments.submitted().get(is_planted=False)
    held = make_assignment(batch=make_batch(), annotator=ada, profile=make_known(), is_planted=True)
    elsewhere = batch.assignments.get(is_planted=True)
    for path in (f"{at(batch)}{ordinary.pk}/", f"{at(held.batch)}{held.pk}/", f"{at(make_batch())}{elsewhere.pk}/"):
        assert as_grace.get(path).status_code == 404


def test_of_a_practice_batch_all_is_checked(as_grace, ada):
    profile = make_known(sex="male")
    batch = make_practice_of(profile)
    assert as_grace.get(at(batch)).context["results"] == []
    done = submitted(ada, profile, batch, sex="male")
    (result,) = as_grace.get(at(batch)).context["results"]
    assert {tally for _, tally in result.by_attribute} == {KnownTally(agreeing=1)}
    assert f'action="{at(batch, "plant/")}"' not in page_of(as_grace, batch)
    assert as_grace.get(f"{at(batch)}{done.pk}/").status_code == 200


def test_shows_what_was_skipped_and_why(as_grace, batch):
    page = page_of(as_grace, batch)
    assert SkipReason.TOO_LITTLE.label in page
    assert "only emoji" in page


def test_shows_what_was_flagged_and_leads_there(as_grace, batch, ada):
    planted = batch.assignments.get(is_planted=True)
    comment = planted.profile.comments.get()
    Flag.objects.create(assignment=planted, comment=comment, remark="names <somebody> else")
    Flag.objects.create(assignment=planted, remark="looks like two people")
    page = page_of(as_grace, batch)
    assert "names &lt;somebody&gt; else" in page
    assert f'href="/profiles/{planted.profile_id}/?subreddit=AskReddit#comment-{comment.pk}"' in page
    assert "looks like two people" in page


def test_only_pseudonyms_stand_in_it(as_grace, batch):
    assert batch.assignments.get(is_planted=True).profile.pseudonym in page_of(as_grace, batch)
    assert "account" not in page_of(as_grace, batch).split("<main")[1]


# ── What can be done ────────────────────────────────────────────────────────


def test_plants_known_profiles(as_grace, grace, batch, ada):
    make_known(corpus=batch.corpus)
    make_assignment(batch=batch, annotator=ada, claimed_at=None)
    response = as_grace.post(at(batch, "plant/"), {"count": 1, "seed": 4}, follow=True)
    assert response.redirect_chain == [(at(batch), 302)]
    assert batch.assignments.filter(is_planted=True).count() == 2


def test_says_why_nothing_was_planted(as_grace, batch, ada):
    make_assignment(batch=batch, annotator=ada, claimed_at=None)
    page = as_grace.post(at(batch, "plant/"), {"count": 9, "seed": 4}, follow=True).content.decode()
    assert planted_profiles.TOO_FEW_KNOWN.format(available=0, count=9) in page
    response = as_grace.post(at(batch, "plant/"), {"count": "many", "seed": 4})
    assert response.status_code == 422
    assert list(response.context["plant_form"].errors) == ["count"]


def test_asks_for_practice_and_stops_asking(as_grace, batch):
    practice = make_practice_of(make_known())
    response = as_grace.post(at(batch, "require-practice/"), {"practice": practice.pk}, follow=True)
    assert f'<option value="{practice.pk}" selected>' in response.content.decode()
    as_grace.post(at(batch, "require-practice/"), {"practice": ""})
    batch.refresh_from_db()
    assert batch.after_practice is None


def test_only_practice_batches_can_be_asked_for(as_grace, batch):
    response = as_grace.post(at(batch, "require-practice/"), {"practice": make_batch().pk})
    assert response.status_code == 422
    practice = make_practice_of(make_known())
    page = as_grace.post(at(practice, "require-practice/"), {"practice": practice.pk}, follow=True).content.decode()
    assert IS_PRACTICE_ITSELF in page


def test_a_closed_batch_is_only_looked_at(as_grace, batch):
    Batch.objects.filter(pk=batch.pk).update(closed_at=timezone.now())
    assert f'action="{at(batch, "plant/")}"' not in page_of(as_grace, batch)
    page = as_grace.post(at(batch, "plant/"), {"count": 1, "seed": 1}, follow=True).content.decode()
    assert planted_profiles.IS_CLOSED.format(name=batch.name) in page


def test_a_skip_is_handled_once(as_grace, grace, batch):
    skipped = batch.assignments.get(skipped_at__isnull=False)
    path = at(batch, f"skipped/{skipped.pk}/handled/")
    assert f'action="{path}"' in page_of(as_grace, batch)
    response = as_grace.post(path)
    assert response.url == f"{at(batch)}#skipped"
    skipped.refresh_from_db()
    handled_at = skipped.handled_at
    assert handled_at is not None
    assert f'action="{path}"' not in page_of(as_grace, batch)
    assert as_grace.post(path).status_code == 302
    skipped.refresh_from_db()
    assert skipped.handled_at == handled_at
    (entry,) = AuditEntry.objects.filter(action="batch_changed")
    assert (entry.actor, entry.details) == (grace, {"batch": batch.pk, "skip_handled": skipped.pk})


def test_a_flag_is_handled_once_also_in_a_closed_batch(as_grace, batch):
    Batch.objects.filter(pk=batch.pk).update(closed_at=timezone.now())
    flag = Flag.objects.create(assignment=batch.assignments.get(is_planted=True), remark="looks like two people")
    path = at(batch, f"flags/{flag.pk}/handled/")
    assert f'action="{path}"' in page_of(as_grace, batch)
    for _ in range(2):
        assert as_grace.post(path).url == f"{at(batch)}#flags"
    flag.refresh_from_db()
    assert flag.handled_at is not None
    (entry,) = AuditEntry.objects.filter(action="batch_changed")
    assert entry.details == {"batch": batch.pk, "flag_handled": flag.pk}


def test_only_what_was_skipped_or_flagged_in_this_batch_is_handled(as_grace, batch):
    submitted_one, other = batch.assignments.get(is_planted=True), make_batch()
    skipped = batch.assignments.get(skipped_at__isnull=False)
    flag = Flag.objects.create(assignment=submitted_one, remark="two people")
    for path in (
        at(batch, f"skipped/{submitted_one.pk}/handled/"),
        at(other, f"skipped/{skipped.pk}/handled/"),
        at(other, f"flags/{flag.pk}/handled/"),
    ):
        assert as_grace.post(path).status_code == 404
    assert as_grace.get(at(batch, f"skipped/{skipped.pk}/handled/")).status_code == 405
    assert as_grace.get(at(batch, f"flags/{flag.pk}/handled/")).status_code == 405


def test_what_nobody_has_dealt_with_comes_first(as_grace, batch, ada):
    new = skip(batch, ada, remark="newer")
    Assignment.objects.filter(pk=new.pk).update(handled_at=timezone.now())
    page = page_of(as_grace, batch)
    assert page.index("only emoji") < page.index("newer")


# ── Who may ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("role", [Role.EVALUATOR, Role.RESEARCHER])
def test_exists_for_admins_only(client, batch, role):
    known = batch.assignments.get(is_planted=True)
    client.force_login(make_annotator(roles=[role]))
    assert client.get(at(batch)).status_code == 404
    assert client.get(f"{at(batch)}{known.pk}/").status_code == 404
    skipped = batch.assignments.get(skipped_at__isnull=False)
    for action in ("plant/", "require-practice/", f"skipped/{skipped.pk}/handled/", "flags/1/handled/"):
        assert client.post(at(batch, action), {"count": 1, "seed": 1}).status_code == 404


def test_looking_changes_nothing(as_grace, batch):
    for action in ("plant/", "require-practice/"):
        assert as_grace.get(at(batch, action)).status_code == 405
    assert as_grace.get("/batches/999999/quality/").status_code == 404


def test_a_tab_leads_admins_there_and_nobody_else(client, batch, ada, grace, rosalind):
    for person, leads in ((ada, False), (rosalind, False), (grace, True)):
        client.force_login(person)
        page = client.get("/").content.decode()
        assert (f'href="{at(batch, "progress/")}"' in page) is (person is not ada)
        assert ('href="/batches/practice/new/"' in client.get("/batches/").content.decode()) is leads
        assert (f'href="{at(batch)}"' in client.get(at(batch, "progress/")).content.decode()) is leads


@pytest.mark.parametrize("rows", [1, 8])
def test_query_count_does_not_grow_with_rows(as_grace, django_assert_num_queries, rows):
    batch = make_batch()
    for _ in range(rows):
        person, profile = make_annotator(), make_known(corpus=batch.corpus, location="houston", age="27")
        done = submitted(person, profile, batch, planted=True, location="houston", age="30")
        Flag.objects.create(assignment=done, comment=profile.comments.get(), remark="look")
        skip(batch, person)
        make_practice_of(profile, name=f"Practice {person.pk}")
    as_grace.get("/account/")
    with django_assert_num_queries(8):  # person, batch, 3 of known profiles, skipped, flags, practice batches
        page_of(as_grace, batch)
