"""Label files are read as they are meant, and a wrong key is named."""

import json

import pytest

from evaluation.spans.label_files import PRESETS, UnreadableScheme, digest, load_preset, load_scheme, parse_scheme
from evaluation.spans.labels import LabelMode, LabelScheme


def test_the_study_maps_groups_and_ignores():
    scheme = load_preset("echr-study")
    labels = ["DATE_TIME", "NRP", "LOCATION", "LOC", "PERSON", "EMAIL_ADDRESS"]
    assert [scheme.mapped(label) for label in labels] == ["DATETIME", "DEM", "LOC", "LOC", "PERSON", "EMAIL_ADDRESS"]
    assert scheme.ignored == {"CODE", "ORG", "QUANTITY", "MISC"}
    assert scheme.compatible("ORG", "LOC", LabelMode.RELAXED)
    assert not scheme.compatible("ORG", "LOC", LabelMode.STRICT)


def test_the_first_phase_of_the_study_lacks_locations():
    assert load_preset("echr-study-phase1").mapped("LOCATION") == "LOCATION"


def test_identity_changes_nothing():
    scheme = load_preset("identity")
    assert (scheme.mapping, scheme.groups, scheme.ignored, scheme.branches) == ({}, (), frozenset(), {})


@pytest.mark.parametrize(
    ("label", "leaf", "branch"),
    [
        ("GPE", "LOCATION", "LOCATION"),
        ("CITY", "CITY", "LOCATION"),
        ("NRP", "NATIONALITY", "DEMOGRAPHIC"),
        ("DEM", "DEMOGRAPHIC_ATTRIBUTE", "DEMOGRAPHIC"),
        ("US_SSN", "SSN", "GOVERNMENT_ID"),
        ("QUANTITY", "QUANTITY", "QUANTITY"),
    ],
)
def test_the_hierarchy_has_leaves_and_branches(label, leaf, branch):
    scheme = load_preset("presidio-evaluator")
    assert scheme.mapped(label) == leaf
    assert scheme.branches.get(leaf, leaf) == branch


def test_every_preset_is_named_after_its_file_and_has_a_digest():
    schemes = {name: load_preset(name) for name in PRESETS}
    assert {name for name, scheme in schemes.items() if scheme.name != name or len(scheme.digest) != 64} == set()
    assert len({scheme.digest for scheme in schemes.values()}) == len(PRESETS)


def test_an_unknown_preset_names_the_known_ones():
    with pytest.raises(UnreadableScheme, match="echr-study, echr-study-phase1"):
        load_preset("klingon")


def test_json_and_toml_say_the_same(tmp_path):
    (tmp_path / "mine.json").write_text(json.dumps({"map": {"B": "A"}, "ignored": ["X"]}))
    (tmp_path / "mine.toml").write_text('ignored = ["X"]\n[map]\nB = "A"\n')
    first, second = (load_scheme(tmp_path / f"mine.{ending}") for ending in ("json", "toml"))
    assert first == second
    assert first.name == "mine"


def test_the_digest_follows_what_a_scheme_does_not_how_it_is_written():
    first = parse_scheme('name = "a"\ngroups = [["X", "Y"]]\n[map]\nB = "A"\nC = "A"', name="")
    second = parse_scheme('# other\nname = "b"\ngroups = [["Y", "X"]]\n[map]\nC = "A"\nA = "A"\nB = "A"', name="")
    assert first.digest == second.digest


@pytest.mark.parametrize(
    "changed",
    [
        LabelScheme("", mapping={"B": "C"}),
        LabelScheme("", groups=(frozenset({"A", "B"}),)),
        LabelScheme("", ignored=frozenset({"A"})),
        LabelScheme("", branches={"A": "B"}),
    ],
)
def test_every_part_is_in_the_digest(changed):
    assert digest(changed) != digest(LabelScheme(""))


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("mapp = {}", "mapp"),
        ("name = 3", "name"),
        ('name = "a|b"', "name"),
        ("map = []", "map"),
        ("[map]\nA = 3", "map"),
        ('[map]\nA = ""', "map"),
        ('groups = "ORG"', "groups"),
        ('groups = ["ORG"]', "groups"),
        ('groups = [["ORG"]]', "groups"),
        ('ignored = "ORG"', "ignored"),
        ("ignored = [1]", "ignored"),
        ('[branches]\nA = ["B"]', "branches"),
        ('ignored = ["B"]\n[map]\nB = "A"', "ignored"),
        ('groups = [["B", "C"]]\n[map]\nB = "A"', "groups"),
        ('[map]\nB = "A"\nC = "B"', "map"),
        ('[map]\nB = "A"\n[branches]\nB = "X"', "branches"),
    ],
)
def test_a_wrong_key_is_named(text, key):
    with pytest.raises(UnreadableScheme, match=f"“{key}”"):
        parse_scheme(text, name="mine")


@pytest.mark.parametrize("text", ["{", "[map", "{" * 50_000, '{"map": {"A": "B"}', "a" * 10])
def test_a_file_that_is_neither_toml_nor_json_is_refused(text):
    with pytest.raises(UnreadableScheme, match="isn't valid"):
        parse_scheme(text, name="mine")


def test_a_file_that_cannot_be_opened_is_refused(tmp_path):
    (tmp_path / "latin.toml").write_bytes('name = "Zürich"'.encode("latin-1"))
    for name in ("none.toml", "latin.toml"):
        with pytest.raises(UnreadableScheme, match=name):
            load_scheme(tmp_path / name)
