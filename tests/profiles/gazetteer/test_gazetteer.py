"""Places: what is suggested while a person types, and what a written place means."""

import random
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.gazetteer import MatchKind, find, resolve, suggest, warm
from profiles.gazetteer.index import load_index
from profiles.gazetteer.regions import NICKNAMES, REGIONS

AWKWARD = ["\0", "///", " , / ,", "🏠" * 50, "\u202eהיוסטון", "x" * 100_000, "a/" * 50_000, "\udcff", "\n", "%_\\"]


@pytest.fixture(scope="module", autouse=True)
def _loaded():
    """Before anything is timed."""
    warm()


def written(places):
    return [place.written for place in places]


def some_places(number):
    return [load_index().place(at) for at in random.Random(7).sample(range(warm()), number)]  # noqa: S311 repeatable


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("hous", "houston / texas / united states"),
        ("HOUSTON", "houston / texas / united states"),
        ("houston / te", "houston / texas / united states"),
        ("houston, te", "houston / texas / united states"),
        ("houston, tx, us", "houston / texas / united states"),
        ("paris", "paris / france"),
        ("paris / t", "paris / texas / united states"),
        ("munich", "munich / germany"),
        ("münchen", "munich / germany"),
        ("munchen", "munich / germany"),
        ("sao pau", "são paulo / brazil"),
        ("st johns", "st. john's / newfoundland and labrador / canada"),
        ("nyc", "new york city / new york / united states"),
        ("fran", "france"),
        ("tex", "texas / united states"),
        ("georgia / united", "georgia / united states"),
        ("usa", "united states"),
        ("singapore", "singapore"),
        ("singapore / singapore", "singapore / singapore"),
        ("guelph / ontario", "guelph / ontario / canada"),
    ],
)
def test_suggests_first(typed, first):
    assert suggest(typed)[0].written == first


def test_an_exact_name_comes_before_a_larger_place_with_a_longer_one():
    exact, longer, *_ = suggest("san")
    assert (exact.city, longer.city) == ("San", "Santiago")
    assert exact.population < longer.population


def test_longer_names_are_sorted_by_population_with_other_names_last():
    longer = suggest("hou", limit=5)
    assert [place.population for place in longer] == sorted((p.population for p in longer), reverse=True)
    assert "hohhot / china" not in written(longer)  # also called Houhehot


def test_another_name_counts_only_where_it_is_nobodys_own():
    assert suggest("cancun")[0].written == "cancún / mexico"  # and Changchun's in some language
    assert written(find("cancun").places) == ["cancún / mexico"]
    assert written(find("köln").places) == written(find("cologne").places)


def test_an_airport_code_is_not_a_name():
    assert find("muc").kind is MatchKind.UNKNOWN


@pytest.mark.parametrize("typed", ["", "   ", *AWKWARD])
def test_awkward_input_suggests_nothing_and_means_nothing_at_once(typed):
    begun = time.perf_counter()
    assert suggest(typed) == []
    assert find(typed).kind is MatchKind.UNKNOWN
    assert time.perf_counter() - begun < 0.1


@given(st.text(max_size=300), st.integers(-1, 20))
def test_any_text_is_searched_without_an_error(text, limit):
    assert len(suggest(text, limit)) <= max(limit, 0)
    assert (find(text).kind is MatchKind.UNKNOWN) == (find(text).places == [])


def test_every_place_is_suggested_first_and_found_when_written_in_full():
    for place in some_places(2000):
        assert suggest(place.written)[0] == place, place
        assert place in find(place.written).places, place
        if place.city:
            assert find(place.written).kind is MatchKind.ONE, place


def test_no_two_places_are_written_alike():
    everything = [load_index().place(number).written for number in range(warm())]
    assert len(set(everything)) == len(everything)


def test_no_part_of_a_place_holds_a_separator():
    for number in range(warm()):
        place = load_index().place(number)
        for name in (place.city, place.state, place.country):
            assert "/" not in name
            assert "," not in name
            assert name == name.strip()


def test_limits_the_suggestions():
    assert len(suggest("san")) == 8
    assert len(suggest("san", limit=3)) == 3
    assert suggest("san", limit=0) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("houston", "houston / texas / united states"),
        ("Houston, TX", "houston / texas / united states"),
        ("springfield / illinois", "springfield / illinois / united states"),
        ("springfield, il, usa", "springfield / illinois / united states"),
        ("london, uk", "london / england / united kingdom"),
        ("london / england / united kingdom", "london / england / united kingdom"),
        ("paris / france", "paris / france"),
        ("munich / bavaria / germany", "munich / germany"),
        ("new york / united states", "new york / united states"),
        ("new york, ny", "new york city / new york / united states"),
        ("Main Street / Houston / Texas / United States", "houston / texas / united states"),
        ("Montrose, Houston", "houston / texas / united states"),
        ("france", "france"),
        ("uk", "united kingdom"),
        ("texas", "texas / united states"),
        ("luxembourg", "luxembourg"),
        ("singapore", "singapore"),
        ("new\nyork\tcity", "new york city / new york / united states"),
        ("jamaica", "jamaica"),
        ("ontario", "ontario / canada"),
        ("delaware", "delaware / united states"),
        ("san jose, ca", "san jose / california / united states"),
    ],
)
def test_finds_a_unique_place(text, place):
    match = find(text)
    assert match.kind is MatchKind.ONE
    assert written(match.places) == [place]


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ("springfield", "springfield / illinois / united states"),
        ("springfield / united states", "springfield / illinois / united states"),
        ("paris", "paris / texas / united states"),
        ("new york", "new york city / new york / united states"),
        ("georgia", "georgia / united states"),
        ("calcutta", "kolkata / india"),
        ("st. petersburg", "saint petersburg / russia"),
        ("washington", "washington / district of columbia / united states"),
        ("5th avenue / springfield", "springfield / missouri / united states"),
    ],
)
def test_finds_several(text, some):
    match = find(text)
    assert match.kind is MatchKind.AMBIGUOUS
    assert some in written(match.places)
    assert 1 < len(match.places) <= 8
    populations = [place.population for place in match.places]
    assert populations == sorted(populations, reverse=True)


@pytest.mark.parametrize("text", ["xyzzy", "smallville / kansas", "houstn / texas / united states", "the moon"])
def test_finds_nothing(text):
    """A village that is not in the data is not its state."""
    assert find(text).kind is MatchKind.UNKNOWN
    assert find(text).places == []


def test_resolving_keeps_detail_that_the_gazetteer_does_not_know():
    resolution = resolve("Main Street / Houston, Texas")
    assert resolution.detail == ("main street",)
    assert written(resolution.match.places) == ["houston / texas / united states"]


def test_resolving_returns_all_namesakes_not_only_the_eight_that_are_shown():
    assert len(find("richmond").places) == 8
    assert len(resolve("richmond").match.places) == 9


def test_every_region_and_nickname_is_a_place():
    ids = {row.geoname_id for row in load_index().rows}
    assert set(NICKNAMES.values()) <= ids
    assert {region.geoname_id for region in REGIONS} <= ids


@pytest.mark.parametrize(
    ("state", "capital"),
    [
        ("Alberta", "calgary"),
        ("British Columbia", "vancouver"),
        ("Manitoba", "winnipeg"),
        ("New Brunswick", "moncton"),
        ("Nova Scotia", "halifax"),
        ("Ontario", "toronto"),
        ("Quebec", "montreal"),
        ("Saskatchewan", "saskatoon"),
        ("New South Wales", "sydney"),
        ("Queensland", "brisbane"),
        ("South Australia", "adelaide"),
        ("Tasmania", "hobart"),
        ("Victoria", "melbourne"),
        ("Western Australia", "perth"),
        ("Scotland", "glasgow"),
        ("Wales", "cardiff"),
        ("Northern Ireland", "belfast"),
    ],
)
def test_state_codes_are_those_of_geonames(state, capital):
    assert state in {place.state for place in suggest(capital)}


def test_the_index_is_loaded_on_first_use_and_once():
    code = (
        "from profiles import gazetteer; from profiles.gazetteer.index import load_index;"
        "assert load_index.cache_info().currsize == 0; gazetteer.warm(); gazetteer.suggest('h'); gazetteer.find('h');"
        "assert load_index.cache_info().misses == 1; import sys; assert 'django' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_index_is_small_when_another_process_builds_it():
    """A list of Python objects for each name took 26 MB, which every process of the web server kept."""
    code = (
        "import re; from pathlib import Path; from profiles import gazetteer;"
        "from profiles.detection.isolation import run_isolated;"
        "size = lambda: int(re.search('Private_Dirty: *([0-9]+)', Path('/proc/self/smaps_rollup').read_text())[1]);"
        "before = size(); assert gazetteer.warm(run_isolated) > 30_000; assert size() - before < 10_000;"
        "assert gazetteer.suggest('houst')[0].city == 'Houston'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
