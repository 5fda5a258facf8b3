"""The styles keep their promises: enough contrast in both themes, colours anybody can tell apart, nothing inline."""

import itertools
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from annotator.charts.lines import COLOURS

ROOT = Path(__file__).resolve().parent.parent
CSS = sorted((ROOT / "static" / "css").glob("**/*.css"))
TEMPLATES = sorted((ROOT / "templates").glob("**/*.html"))
SOURCES = sorted(path for app in ("annotator", "evaluation", "profiles") for path in (ROOT / app).glob("**/*.py"))

Colour = tuple[float, float, float]

STATES = ("good", "warn", "bad")
HUES = ("green", "pink", "orange", "blue", "teal", "red", "gold", "violet")
SERIES = tuple(f"series-{number}" for number in range(1, 7))
GROUNDS = ("canvas", "surface", "sunken", "raised", "hover")

# What is written on what: (text, ground), at least 4.5 to 1.
WRITTEN = [
    *itertools.product(("text", "text-soft", "text-faint", "accent-ink"), GROUNDS),
    *((ink, "accent-wash") for ink in ("text", "text-soft", "accent-ink", "accent")),
    *((f"{state}-ink", f"{state}-wash") for state in STATES),
    *(("text", f"{state}-wash") for state in STATES),
    *(("bad-ink", ground) for ground in ("canvas", "surface", "raised")),
    ("on-accent", "accent"),
    ("on-accent", "accent-strong"),
    ("on-bad", "bad"),
    ("text-faint", "heat-0"),
    *(("on-heat-low", f"heat-{level}") for level in (1, 2, 3)),
    *(("on-heat-high", f"heat-{level}") for level in (4, 5)),
    *((f"{hue}-ink", f"{hue}-wash") for hue in HUES),
    *((f"{hue}-ink", ground) for hue in HUES for ground in ("canvas", "surface")),
    *(("text", f"{hue}-wash") for hue in HUES),
]
# What must be seen to use the page: (part, ground), at least 3 to 1.
SEEN = [
    *itertools.product(("line-strong", "accent", "bad"), ("canvas", "surface", "raised")),
    ("accent", "track"),
    ("line-strong", "sunken"),
    *itertools.product((*HUES, *SERIES), ("canvas", "surface", "raised")),
]


# ── Reading the style sheets ─────────────────────────────────────────────────
def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


@cache
def tokens() -> dict[str, dict[str, str]]:
    """Every colour token by theme, as #rrggbb."""
    text = "".join(without_comments(path.read_text()) for path in CSS)
    pairs = re.findall(r"--([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\);", text)
    return {"light": {n: light for n, light, _ in pairs}, "dark": {n: dark for n, _, dark in pairs}}


def linear(colour: str) -> Colour:
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return _linear(r), _linear(g), _linear(b)


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def contrast(left: str, other: str) -> float:
    """WCAG 2.2's ratio of relative luminances, from 1 to 21."""
    weights = (0.2126, 0.7152, 0.0722)
    dark, light = sorted(sum(w * c for w, c in zip(weights, linear(x), strict=True)) for x in (left, other))
    return (light + 0.05) / (dark + 0.05)


# ── Contrast ─────────────────────────────────────────────────────────────────
def test_contrast_is_the_standards_own():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("least", "pairs"), [(4.5, WRITTEN), (3.0, SEEN)], ids=["written", "seen"])
def test_everything_can_be_read_and_seen(theme, least, pairs):
    colours = tokens()[theme]
    ratios = {f"{part} on {ground}": contrast(colours[part], colours[ground]) for part, ground in pairs}
    assert {pair: round(ratio, 2) for pair, ratio in ratios.items() if ratio < least} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_whatever_names_its_text_and_its_ground_can_be_read(theme):
    colours = tokens()[theme]
    faint = {
        f"{selector}: {text} on {ground}": round(contrast(colours[text], colours[ground]), 2)
        for selector, text, ground in text_on_ground()
        if contrast(colours[text], colours[ground]) < 4.5
    }
    assert faint == {}


def text_on_ground() -> Iterator[tuple[str, str, str]]:
    """Every rule that sets both colours by token: its selector, the text's token, the ground's."""
    rules = re.findall(r"([^{};]+)\{([^{}]*)\}", "".join(without_comments(path.read_text()) for path in CSS))
    for selector, body in rules:
        text = re.search(r"(?<![\w-])color:\s*var\(--([\w-]+)\)", body)
        ground = re.search(r"(?<![\w-])background(?:-color)?:\s*var\(--([\w-]+)\)", body)
        if text and ground and {text[1], ground[1]} <= set(tokens()["light"]):
            yield selector.strip(), text[1], ground[1]


# ── Colours for everyone ─────────────────────────────────────────────────────
# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
EYES = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.01182, 0.04294, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.3039),
    ),
}
TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_OKLAB = (
    (0.2104542553, 0.793617785, -0.0040720468),
    (1.9779984951, -2.428592205, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.808675766),
)


def times(matrix: tuple[Colour, ...], colour: Colour) -> Colour:
    a, b, c = (sum(m * x for m, x in zip(row, colour, strict=True)) for row in matrix)
    return a, b, c


def seen_as(colour: str, eye: str) -> Colour:
    """Where the eye puts the colour in Oklab, a space in which distance is difference."""
    r, g, b = (min(1.0, max(0.0, channel)) for channel in times(EYES[eye], linear(colour)))
    a, b, c = (value ** (1 / 3) for value in times(TO_CONES, (r, g, b)))
    return times(TO_OKLAB, (a, b, c))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eye", EYES)
def test_no_two_meanings_look_alike(theme, eye):
    assert alike(HUES, theme, eye, least=12) == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("eye", EYES)
def test_no_two_series_of_a_chart_look_alike(theme, eye):
    assert alike(SERIES, theme, eye, least=13) == {}


def test_charts_use_every_series_colour_and_no_more():
    defined = {name for name in tokens()["light"] if re.fullmatch(r"series-\d+", name)}
    assert defined == set(SERIES)
    assert len(SERIES) == COLOURS


def alike(names: Iterable[str], theme: str, eye: str, *, least: float) -> dict[str, float]:
    """Pairs of colours that the eye puts closer together than `least` hundredths of Oklab."""
    places = {name: seen_as(tokens()[theme][name], eye) for name in names}
    distance = {
        f"{a} and {b}": round(100 * sum((x - y) ** 2 for x, y in zip(places[a], places[b], strict=True)) ** 0.5, 1)
        for a, b in itertools.combinations(places, 2)
    }
    return {pair: d for pair, d in distance.items() if d < least}


# ── The style sheets ─────────────────────────────────────────────────────────
def test_every_property_that_is_used_is_defined():
    text = "".join(without_comments(path.read_text()) for path in CSS)
    used = set(re.findall(r"var\(--([\w-]+)\)", text))
    assert used - set(re.findall(r"--([\w-]+):", text)) == set()


def matches(pattern: str, sheets: Iterable[Path] = CSS, *, outside: str = "(?!)") -> dict[str, list[str]]:
    """What matches, by style sheet, in those where anything does."""
    texts = {path.name: re.sub(outside, "", without_comments(path.read_text())) for path in sheets}
    return {name: matches for name, text in texts.items() if (matches := re.findall(pattern, text))}


def test_colours_are_named_only_where_tokens_live():
    others = [path for path in CSS if path.name not in ("tokens.css", "hues.css")]
    assert matches(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(", others) == {}


def test_nothing_is_important_but_print_and_rest():
    allowed = r"@media (?:print|\(prefers-reduced-motion: reduce\)) \{(?:[^{}]*\{[^{}]*\})*[^{}]*\}"
    assert matches("!important", outside=allowed) == {}


def test_nothing_comes_from_elsewhere():
    assert matches(r"url\(\s*['\"]?(?:https?:)?//|@import") == {}


# ── The templates ────────────────────────────────────────────────────────────
REFUSED = {
    "an inline style": r"\sstyle\s*=|<style\b",
    "a script with a body": r"<script\b[^>]*>\s*[^\s<]",
    "an inline handler": r"\s(?:on[a-z]+|hx-on[\w:-]*)\s*=|javascript:",
    "text that skips escaping": r"\|\s*safe\b|mark_safe|autoescape\s+off",
    "a foreign address": r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"'](?:https?:)?//",
}


def test_templates_keep_to_the_content_security_policy():
    assert {str(path.relative_to(ROOT)): matches for path in TEMPLATES if (matches := _refused(path))} == {}


def _refused(path: Path) -> dict[str, list[str]]:
    text = re.sub(r"\{#.*?#\}|\{% verbatim %\}.*?\{% endverbatim %\}", "", path.read_text(), flags=re.DOTALL)
    return {what: matches for what, rule in REFUSED.items() if (matches := re.findall(rule, text))}


def test_python_never_marks_text_as_safe():
    assert [str(path) for path in SOURCES if "mark_safe" in path.read_text()] == []


@pytest.mark.parametrize("name", ["500.html", "503.html"])
def test_the_last_pages_need_nothing(name):
    """They must come out when nothing else works: no tag, no variable, and style sheets that exist."""
    text = re.sub(r"\{#.*?#\}", "", (ROOT / "templates" / name).read_text())
    assert "{{" not in text
    assert "{%" not in text
    assert all((ROOT / address.lstrip("/")).is_file() for address in re.findall(r'="(/static/[^"]+)"', text))
