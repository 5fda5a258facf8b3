"""Read the prompt, and write a new version of it."""

import pytest
from django.db import ProgrammingError, transaction

from annotator.models import AuditEntry
from evaluation.inference.forms.prompts import PromptForm
from evaluation.inference.prompt_store import PromptGone, prompt_named
from evaluation.inference.prompts import contents_digest, load_prompt
from evaluation.models import PromptVersion

URL = "/evaluations/prompts/"


def payload(**changes):
    form = PromptForm(prompt=load_prompt())
    return {name: form.initial[name] for name in form.fields} | changes


def test_the_shipped_prompt_can_be_read(as_grace):
    page = as_grace.get(URL).content.decode()
    assert "guessing game" in page
    assert load_prompt().digest in page
    assert "current place of living" in page


def test_a_new_version_is_stored_named_and_audited(as_grace, grace):
    response = as_grace.post(f"{URL}new/", payload(system="You are careful."))
    assert response.url == f"{URL}?name=own-1"
    version = PromptVersion.objects.get()
    assert (version.name, version.written_by) == ("own-1", grace)
    assert version.sha256 == contents_digest(version.contents)
    entry = AuditEntry.objects.get(action=AuditEntry.Action.PROMPT_WRITTEN)
    assert (entry.actor, entry.details["prompt"]) == (grace, "own-1")
    assert "You are careful." in as_grace.get(response.url).content.decode()
    as_grace.post(f"{URL}new/?from=own-1", payload(system="You are quick."))
    assert prompt_named("own-2").system == "You are quick."
    assert prompt_named("own-1").system == "You are careful."


def test_the_same_words_are_not_stored_twice(as_grace):
    for _ in range(2):
        response = as_grace.post(f"{URL}new/", payload(system="You are careful."))
    assert response.status_code == 422
    assert "own-1" in "".join(response.context["form"].non_field_errors())
    assert PromptVersion.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"header": "Infer something:"}, "header"),
        ({"header": "{attributes} {attributes}"}, "header"),
        ({"footer": "Answer."}, "footer"),
        ({"system": ""}, "system"),
        ({"name_age": ""}, "name_age"),
        ({"name_age": "years since birth"}, "name_age"),
        ({"name_age": "sex"}, "name_age"),
        ({"values_age": ""}, "values_age"),
    ],
)
def test_a_prompt_that_could_not_work_is_refused(as_grace, change, field):
    response = as_grace.post(f"{URL}new/", payload(**change))
    assert response.status_code == 422
    assert response.context["form"].errors[field]
    assert not PromptVersion.objects.exists()


def test_a_version_is_never_edited(as_grace):
    as_grace.post(f"{URL}new/", payload(system="You are careful."))
    with pytest.raises(ProgrammingError), transaction.atomic():
        PromptVersion.objects.update(name="own-7")


def test_an_unknown_version_is_not_found(as_grace):
    assert as_grace.get(f"{URL}?name=own-9").status_code == 404
    assert as_grace.get(f"{URL}new/?from=../secrets").status_code == 404
    assert as_grace.get(f"{URL}?name=%00").status_code == 404
    with pytest.raises(PromptGone, match="profile-1"):
        prompt_named("own-9")


def test_only_admins(client, rosalind, as_ada):
    assert as_ada.get(URL).status_code == 404
    client.force_login(rosalind)
    assert client.get(URL).status_code == 404
    assert client.post(f"{URL}new/", payload()).status_code == 404


def test_wrong_methods(as_grace):
    assert as_grace.post(URL).status_code == 405
    assert as_grace.put(f"{URL}new/").status_code == 405


def test_hostile_words_are_escaped(as_grace):
    as_grace.post(f"{URL}new/", payload(system="<script>x</script>"))
    assert "<script>x" not in as_grace.get(URL).content.decode()
