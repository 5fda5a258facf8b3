"""Made-up replacements: another name for a name, another place for a place.

Within a profile, the same text always gets the same replacement, whatever its case and spaces: as a place, whether it
was found as a location or as a place of birth, as a name, and so on. E-mail addresses, web addresses, telephone and IP
numbers come from ranges that are reserved for examples. A type without a list of its own gets a filler.
"""

import hashlib
from collections.abc import Callable, Sequence

FIRST_NAMES = (
    "Alma", "Boris", "Carla", "Dario", "Edda", "Felix", "Greta", "Hugo", "Ines", "Jonas", "Kira", "Leon", "Mona",
    "Nils", "Olga", "Pavel", "Rosa", "Sven", "Tilda", "Viktor",
)  # fmt: skip
LAST_NAMES = (
    "Abbott", "Berger", "Castle", "Dorsey", "Ekman", "Farrow", "Grange", "Holloway", "Ivers", "Jansen", "Kestrel",
    "Lindqvist", "Marlow", "Norwood", "Orchard", "Prescott", "Quimby", "Rowe", "Sorrel", "Thorne",
)  # fmt: skip
PLACES = (
    "Ashford", "Brookhaven", "Calder", "Dunmore", "Eastvale", "Fairmont", "Glenrock", "Harwick", "Ironwood", "Juniper",
    "Kingsley", "Larkspur", "Millbrook", "Northgate", "Oakdale", "Pinecrest", "Redfield", "Stonebridge", "Thornton",
    "Westbrook",
)  # fmt: skip
NATIONALITIES = (
    "Ruritanian", "Elbonian", "Freedonian", "Genovian", "Grand Fenwickian", "Illyrian", "Syldavian", "Bordurian",
    "Lilliputian", "Zubrowkan",
)  # fmt: skip
FILLERS = ("something", "this and that", "whatever it is", "some of it", "a certain matter", "one thing or another")

Draw = Callable[[int], int]  # a number below the given one
Maker = Callable[[str, Draw], str]


def _person(text: str, draw: Draw) -> str:
    first = FIRST_NAMES[draw(len(FIRST_NAMES))]
    return first if len(text.split()) < 2 else f"{first} {LAST_NAMES[draw(len(LAST_NAMES))]}"


def _email(text: str, draw: Draw) -> str:
    return f"{FIRST_NAMES[draw(len(FIRST_NAMES))].lower()}{draw(1000)}@example.org"


def _phone(text: str, draw: Draw) -> str:
    return f"{200 + draw(800)}-555-01{draw(100):02}"


def _url(text: str, draw: Draw) -> str:
    return f"https://example.org/{draw(10_000)}"


def _ip(text: str, draw: Draw) -> str:
    return f"192.0.2.{draw(256)}"


def _any_of(names: Sequence[str]) -> Maker:
    return lambda text, draw: names[draw(len(names))]


FILLER = "filler"
MAKERS: dict[str, Maker] = {
    "person": _person,
    "place": _any_of(PLACES),
    "nationality": _any_of(NATIONALITIES),
    "email": _email,
    "phone": _phone,
    "url": _url,
    "ip": _ip,
    FILLER: _any_of(FILLERS),
}
KINDS = {
    "PERSON": "person", "LOCATION": "place", "PLACE_OF_BIRTH": "place", "GPE": "place", "NRP": "nationality",
    "EMAIL_ADDRESS": "email", "PHONE_NUMBER": "phone", "URL": "url", "IP_ADDRESS": "ip",
}  # fmt: skip


class Surrogates:
    """Of one profile: call it with the type and the text of a span."""

    def __init__(self, seed: int, profile: str) -> None:
        self._start = f"{seed}\0{profile}"

    def __call__(self, type_: str, text: str) -> str:
        """In the case of the text. Never the text itself."""
        kind, key = KINDS.get(type_.upper(), FILLER), " ".join(text.casefold().split())
        attempt = 0
        while (surrogate := MAKERS[kind](text, self._draws(kind, key, attempt))).casefold() == key:
            attempt += 1
        return _in_case_of(text, surrogate)

    def _draws(self, kind: str, key: str, attempt: int) -> Draw:
        digest = hashlib.sha256(f"{self._start}\0{kind}\0{key}\0{attempt}".encode("utf-8", "surrogatepass"))
        state = int.from_bytes(digest.digest())

        def draw(below: int) -> int:
            nonlocal state
            state, number = divmod(state, below)
            return number

        return draw


def _in_case_of(text: str, surrogate: str) -> str:
    if text.isupper() and len(text) > 1:
        return surrogate.upper()
    return surrogate.lower() if text.islower() else surrogate
