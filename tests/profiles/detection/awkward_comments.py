"""Reproducible comments that make analysers stumble."""

from random import Random

FIRST = "John Mary Wei Fatima José Zoë Nguyen Olga O'Brien Jean-Luc Björk Rajesh Emma Ludwig Aisha Tom".split()
LAST = "Smith García Müller Kowalski van Houten Al-Fayed MacDonald Nakamura Johnson Østergård Patel Ivanov".split()
PLACES = (
    "New York|Paris|St. Louis|the Golden Gate Bridge|São Paulo|Springfield, Illinois|Lake Geneva|Tokyo|Ljubljana|"
    "Houston|the Rocky Mountains|Bosnia and Herzegovina|U.S.|Stoke-on-Trent|北京|Москва|Heathrow Airport|Sydney"
).split("|")
GROUPS = (
    "Muslims|Republicans|a German|Catholic|the Dutch|Jewish|African American|Democrats|Sikh|Bavarians|Marxists|Italians"
).split("|")
PHONES = (
    "212-736-5000|(212) 736-5000|+1 212 736 5000|2127365000|+44 20 7946 0958|020 7946 0018|+49 30 901820|030 90182 0|"
    "+33 1 42 68 53 00|01 42 68 53 00|+91 22 2204 4040|+972-3-695-5555|+55 11 3091-3116|1-800-356-9377|555-1234|112|"
    "+٩٧٢-٣-٦٩٥-٥٥٥٥|212.736.5000 ext. 12|212 736 5000/212 736 5001|00 49 30 901820|1 2 3 4 5 6 7 8 9 0|"
    "12/x345 6789012|２１２-７３６-５０００|1945|1939-1945|3.14159265|192.168.100.100|2012-01-02 08:00|08/31/95 1000"
).split("|")
MAILS = (
    "john.smith@example.com|a@b.co|FIRST.LAST@EXAMPLE.ORG|me+tag@mail.example.co.uk|jo@münchen.de|x@localhost|@someone|"
    "user@xn--80ak6aa92e.com|not an@ address|a@b|mailto:eve@example.net?subject=hi|o'neil@example.ie|@@|"
    "e@mail@example.com"
).split("|")
CALLING = "call me at|my phone:|cell|text|number is|telephones:|I paid|ask for|MOBILE|from 9 to 5 on".split("|")

FRAMES = (
    "{name} lives in {place}.",
    "I met {name}. {name2} was late",
    "Yesterday {name}\n\n{name2} and I drove from {place} to {place2}",
    "so {name}  {name2}   went to   {place}",
    "> {name} said: {place}\n\nNo, {name2} did!\n\nEDIT: {group}",
    "{call} {phone}",
    "{phone} is what {name} gave me, {call} {phone2}",
    "{mail}",
    "write to {mail} ({name}), or {call} {phone}.",
    "* {place}\n* {place2}\n* {name}\n\n1. {group}\n2. {group2}",
    "| who | where |\n|---|---|\n| {name} | {place} |\n| {name2} | {place2} |",
    '"{name}", "{place}"; \'{name2}\' – “{place2}”… {group}?!',
    "**{name}** _{place}_ ~~{name2}~~ [{place2}](http://{place2}.example.com/~{name})",
    "    def {name}({place}):\n        return {phone}  # {mail}\n",
    "{group} and {group2} in {place}; {group} are not {group2}!",
    "Has anybody read {name}? He was born in {place} in 1945.{name2} was not",
    "{name},{name2},{place},{place2},{group}",
    "I am {group} {name} {place} {name2} {place2} and this has no end",
    "last night I saw {name} at 3am he said {place} is {group2} lol",
    "😀😀 {name} 🇫🇷 {place} 👨‍👩‍👧‍👦 {call} {phone} 🙄{name2}🙄",
    "שלום {name} מ-{place} مرحبا {name2} \u200f{phone}\u200f",
    "http://www.example.com/{place}/{name}.html\r\n\r\nSee {name2}\r\n{place2}",
    "Mr. {name} Jr. vs. Dr. {name2}, Ph.D., of {place} Inc. & Co.",
    "{place} {place2} {place}\t{place2}\x0b{place}\u2028{name}\xa0{name2}",
    "&gt;{name}\n&gt;{place} &amp; {place2}\n&lt;{mail}&gt; {group}",
    "Prices: $1,200 or 35% of {phone}, 10 miles from {place}. {group}! {name}? Yes: {name2}",
)


def comments(how_many: int = 2100) -> list[str]:
    """Every frame filled with varying words, unchanged, in upper or lower case, or without spaces."""
    random = Random(4)  # noqa: S311 the same ones every time
    filled = [_fill(FRAMES[number % len(FRAMES)], random) for number in range(how_many - len(SPECIAL))]
    return filled + list(SPECIAL)


def _fill(frame: str, random: Random) -> str:
    words = {"name": _name(random), "name2": _name(random), "call": random.choice(CALLING)}
    for key, choice in {"place": PLACES, "group": GROUPS, "phone": PHONES}.items():
        words |= {key: random.choice(choice), f"{key}2": random.choice(choice)}
    text = frame.format(**words, mail=random.choice(MAILS))
    if random.random() < 0.25:
        text += random.choice([" ", "\n", "\n\n", ". ", ""]) + frame.format(**words, mail=random.choice(MAILS))
    changed = {"capitals": text.upper(), "small": text.lower(), "glued": text.replace(" ", "")}
    return changed.get(random.choice(["capitals", "small", "glued", *["as it is"] * 4]), text)


def _name(random: Random) -> str:
    first, last = random.choice(FIRST), random.choice(LAST)
    return random.choice([f"{first} {last}", f"{first} {last}", first, f"{first} J. {last}", f"{last}, {first}"])


SPECIAL = (
    "",
    " ",
    "\n",
    "\x00",
    "John\x00Smith lives in\x00Paris",
    "😀" * 500,
    "🇩🇪🇫🇷" * 50 + "Paris",
    "a" * 5000,
    "ha" * 2000 + " John Smith",
    "." * 3000,
    "1" * 2000,
    "1 " * 500,
    "12-" * 300,
    "(" * 300 + "212-736-5000",
    "\u202eJohn Smith from Paris\u202c",
    "ﷺ ﷽ الرياض",
    "e\u0301" * 300 + " in Zürich",
    "北京市朝阳区建国路" * 40,
    "\ufeffJohn Smith\u200b, Pa\u00adris",
    "http://" + "a.b/" * 400,
    "John Smith\n" * 200,
    "Paris, " * 300,
    "| 12 | 345 | 6789 |\n" * 60,
    "Call 212-736-5000. " * 40,
    "a@example.com, " * 60,
    "Is the U.S. Army in St. Louis? J. R. R. Tolkien... wasn't! Forschung und Finanzen: 3am at AS A RULE! I know",
)
