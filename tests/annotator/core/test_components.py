"""Tables, tabs and pagination are written once."""

import re

import pytest

from tests.annotator.accounts.sign_in_forms import confirm_password, signed_in
from tests.test_layout import PROJECT

TEMPLATES = PROJECT / "templates"
PAGINATION = {
    "annotator/core/_pages.html",
    "annotator/core/_next_page.html",
    "annotator/corpora/profile.html",  # loads more while one reads
    "annotator/labelling/_comments.html",  # the same, without scripts
    "annotator/site/styleguide/_tabs.html",
}
HAND_WRITTEN_TABLES = {
    "allauth/elements/table.html": "allauth fills the slot",
    "annotator/labelling/_dialogs.html": "two versions of one card side by side, filled by a script",
    "charts/_frame.html": "the numbers of a chart",
    "charts/_hbars.html": "a chart whose rows are bars",
    "charts/_heatmap.html": "a chart whose cells are shaded",
    "charts/_intervals.html": "a chart whose rows are intervals",
    "charts/_stacks.html": "a chart whose rows are stacked bars",
}
SAMPLES = "annotator/site/styleguide/_tabs.html"
TABS = re.compile(r'<nav class="tabs".*?</nav>', re.DOTALL)


def texts():
    return {str(path.relative_to(TEMPLATES)): path.read_text() for path in TEMPLATES.rglob("*.html")}


def test_only_charts_and_exceptions_with_a_reason_write_a_table_by_hand():
    assert {name for name, text in texts().items() if "<table" in text} == set(HAND_WRITTEN_TABLES)


def test_the_heads_that_sort_are_written_with_the_tag():
    assert [name for name, text in texts().items() if "aria-sort" in text] == []


def test_only_the_components_write_pagination():
    assert {name for name, text in texts().items() if '<nav class="pagination' in text} == PAGINATION
    numbered = {name for name, text in texts().items() if "previous_page_number" in text or "page_range" in text}
    assert numbered == {"annotator/core/_pages.html"}


def test_tabs_are_written_with_the_tag():
    navs = {name: TABS.findall(text) for name, text in texts().items() if name != SAMPLES}
    assert sum(map(len, navs.values())) > 3
    assert [name for name, matches in navs.items() for nav in matches if "<a " in nav or "{% tab " not in nav] == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("/account/", "Account"),
        ("/account/password/change/", "Password"),
        ("/account/two-factor/", "Two-factor sign-in"),
        ("/account/two-factor/totp/activate/", "Two-factor sign-in"),
    ],
)
def test_the_open_tab_of_the_account_is_marked(ada, path, label):
    client = signed_in(ada)
    confirm_password(client)  # only the last of them asks for it
    page = client.get(path).content.decode()
    (nav,) = TABS.findall(page)
    assert re.findall(r'<a href="[^"]*" aria-current="page">([^<]*)</a>', nav) == [label]
    assert nav.count("<a ") == 3
