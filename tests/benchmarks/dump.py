"""A dump of any length, the same every time.

Words follow Zipf's law. There are 2,000 subreddits and 530 bytes per line; one line in twenty is kept, and a profile
has 30 comments, as in the study.
"""

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import zstandard

START, SECONDS = 1_325_376_000, 126_230_400  # the four years of the study
LISTED = ("houston", "AskMen", "personalfinance", "Seattle")
OTHERS = [f"place{number}" for number in range(2000)]
BLOCK = 10_000
LINE = (
    '{{"author":"{author}","author_flair_css_class":null,"author_flair_text":null,"body":"{body}",'
    '"controversiality":0,"created_utc":"{created}","distinguished":null,"downs":0,"edited":false,"gilded":0,'
    '"id":"{id}","link_id":"t3_{link}","name":"t1_{id}","parent_id":"t1_{parent}","retrieved_on":1425000000,'
    '"score":{score},"score_hidden":false,"subreddit":"{subreddit}","subreddit_id":"t5_2qh33","ups":1,'
    '"archived":false}}\n'
)


def lines(number: int, block: int) -> Iterator[str]:
    """One block of a dump of `number` lines."""
    drawn, chance = np.random.default_rng(block), random.Random(block)  # noqa: S311 repeatable on purpose
    lengths = np.maximum(3, drawn.exponential(20, BLOCK).astype(int))
    words = drawn.choice(len(WORDS), size=int(lengths.sum()), p=OFTEN)
    at = 0
    for place in range(block * BLOCK, (block + 1) * BLOCK):
        length = lengths[place % BLOCK]
        yield LINE.format(
            author=f"user_{chance.randrange(number // 600)}",
            body=" ".join([WORDS[word] for word in words[at : at + length]]),
            created=START + place * SECONDS // number,
            id=format(100_000_000 + place, "x"),
            link=format(chance.randrange(10**7), "x"),
            parent=format(chance.randrange(10**8), "x"),
            score=chance.randrange(100),
            subreddit=chance.choice(LISTED) if chance.random() < 0.05 else chance.choice(OTHERS),
        )
        at += length


def write(path: Path, number: int) -> None:
    """Write a dump packed like the monthly ones, with a window of 2 GiB."""
    parameters = zstandard.ZstdCompressionParameters.from_level(3, window_log=31, enable_ldm=True)
    packer = zstandard.ZstdCompressor(compression_params=parameters)
    with path.open("wb") as file, packer.stream_writer(file) as packed:
        for block in range(number // BLOCK):
            packed.write("".join(lines(number, block)).encode())


def _words() -> list[str]:
    chance = random.Random(7)  # noqa: S311 repeatable on purpose
    letters, often = "etaoinshrdlucmfwypvbgkjqxz", [26 - at for at in range(26)]
    return ["".join(chance.choices(letters, often, k=chance.randrange(2, 10))) for _ in range(20_000)]


WORDS = _words()
OFTEN = (1 / np.arange(1, len(WORDS) + 1)) / (1 / np.arange(1, len(WORDS) + 1)).sum()
