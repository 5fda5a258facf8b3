"""Text size, density and reminders of breaks: saved with the account, shown on the labelling page."""

import pytest
from django.db import IntegrityError
from django.test import Client

from annotator.models import Annotator
from tests.factories import make_assignment

pytestmark = pytest.mark.django_db
PATH = "/account/preferences/"
CHOSEN = {"text_size": "large", "density": "compact"}


def kept(annotator):
    return Annotator.objects.values_list("text_size", "density", "break_reminders").get(pk=annotator.pk)


def test_a_choice_is_saved_and_shown_where_people_label(as_ada, ada, grace):
    assignment = make_assignment(annotator=ada)
    page = as_ada.get(f"/assignments/{assignment.pk}/").content.decode()
    assert "text-size-normal density-normal" in page
    assert 'data-on="yes"' in page
    response = as_ada.post(PATH, CHOSEN | {"next": f"/assignments/{assignment.pk}/?q=rain"})
    assert (response.status_code, response["Location"]) == (302, f"/assignments/{assignment.pk}/?q=rain")
    assert kept(ada) == ("large", "compact", False)
    assert kept(grace) == ("normal", "normal", True)
    page = as_ada.get(f"/assignments/{assignment.pk}/").content.decode()
    assert "text-size-large density-compact" in page
    assert 'data-on="no"' in page


def test_the_account_page_shows_the_choice_and_leads_back_to_itself(as_ada):
    assert as_ada.post(PATH, CHOSEN | {"break_reminders": "on"})["Location"] == "/account/"
    form = as_ada.get("/account/").context["preferences"]
    assert form.initial == CHOSEN | {"break_reminders": True}


def test_scripts_stay_on_the_page(as_ada, ada):
    assert as_ada.post(PATH, CHOSEN, headers={"Accept": "application/json"}).status_code == 204
    assert kept(ada) == ("large", "compact", False)


@pytest.mark.parametrize("fields", [{"text_size": "huge"}, {"density": ""}, {"density": "roomy\x00"}])
def test_other_choices_are_refused(as_ada, ada, fields):
    response = as_ada.post(PATH, CHOSEN | fields)
    assert response.status_code == 422
    assert list(response.context["preferences"].errors) == list(fields)
    assert kept(ada) == ("normal", "normal", True)


def test_changes_nothing_else(as_ada, ada):
    as_ada.post(PATH, CHOSEN | {"display_name": "Countess", "roles": "admin", "is_superuser": "on", "pk": "1"})
    after = Annotator.objects.get(pk=ada.pk)
    assert (after.display_name, after.roles, after.is_superuser) == (ada.display_name, ada.roles, False)


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
def test_never_leads_to_another_site(as_ada, elsewhere):
    assert as_ada.post(PATH, CHOSEN | {"next": elsewhere})["Location"] == "/account/"


def test_only_by_post_with_a_token_and_signed_in(as_ada, ada):
    assert as_ada.get(PATH).status_code == 405
    assert Client().post(PATH, CHOSEN)["Location"].startswith("/account/login/")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ada)
    assert strict.post(PATH, CHOSEN).status_code == 403
    assert kept(ada) == ("normal", "normal", True)


@pytest.mark.parametrize(("field", "name"), [("text_size", "annotator_text_size"), ("density", "annotator_density")])
def test_postgres_itself_refuses_unknown_choices(ada, field, name):
    with pytest.raises(IntegrityError, match=name):
        Annotator.objects.filter(pk=ada.pk).update(**{field: "huge"})


def test_operators_choose_the_words_about_support_and_the_time(as_ada, ada, settings):
    settings.SUPPORT_TEXT, settings.BREAK_SECONDS = "Ask <Ida>, https://help.example", 60
    page = as_ada.get(f"/assignments/{make_assignment(annotator=ada).pk}/").content.decode()
    assert page.count("Ask &lt;Ida&gt;") == 2  # in the reminder, and above the guidelines
    assert page.count('href="https://help.example"') == 2
    assert 'data-after="60"' in page
