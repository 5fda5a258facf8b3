"""The entity diagram shows the current models, and its page is never out of date."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotator.management.commands import draw_entity_diagram as command
from annotator.models import Assignment, Batch, GoldRecord, Judgement
from annotator.site.diagram import END, START, MarkersMissing, entity_diagram, our_models, with_diagram
from profiles.models import AccountName, Profile


def test_the_page_shows_the_models_as_they_are():
    call_command("draw_entity_diagram", "--check")


def test_every_model_and_column_is_drawn():
    drawn = entity_diagram()
    for model in our_models():
        entity = drawn.partition(f"    {model.__name__} {{\n")[2].partition("    }")[0]
        columns = [line.split()[1] for line in entity.splitlines()]
        assert columns == [field.column for field in model._meta.concrete_fields]


def test_keys_and_cardinalities():
    drawn = entity_diagram([Assignment, Batch, Judgement, GoldRecord, Profile, AccountName])
    assert "    Batch ||--o{ Assignment : batch\n" in drawn
    assert "        bigint[] batch_ids\n" in drawn
    assert "    Profile ||--o| AccountName : profile\n" in drawn
    assert "        bigint profile_id PK, FK\n" in drawn
    assert "        varchar name UK\n" in drawn
    assert "Corpus" not in drawn  # a relation to what is not drawn would point nowhere


def test_the_same_models_in_any_order_give_the_same_text():
    assert entity_diagram(reversed(our_models())) == entity_diagram(our_models())


def test_a_stale_page_is_told_and_redrawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    page = tmp_path / "data-model.md"
    page.write_text(f"before\n{START}\nan older diagram\n{END}\nafter\n")
    monkeypatch.setattr(command, "PAGE", page)
    monkeypatch.setattr(command, "PROJECT", tmp_path)
    with pytest.raises(CommandError, match="out of date"):
        call_command("draw_entity_diagram", "--check")
    call_command("draw_entity_diagram")
    assert page.read_text().startswith(f"before\n{START}\n\n```mermaid\nerDiagram\n")
    assert page.read_text().endswith(f"```\n\n{END}\nafter\n")
    call_command("draw_entity_diagram", "--check")


def test_a_page_without_a_place_for_it_is_left_alone():
    with pytest.raises(MarkersMissing):
        with_diagram(f"no end here {START}")


def test_it_needs_no_servers():
    assert command.Command.needs_servers is False
