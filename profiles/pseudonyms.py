"""Pseudonyms for accounts: easy to say and to tell apart, and irreversible without the key."""

import hashlib
from collections.abc import Container
from itertools import count

ADJECTIVES = (
    "amber ancient autumn bashful blithe bold brave breezy bright brisk bronze calm candid careful cheerful chilly "
    "civil clever coastal copper coral cosy crisp curious daring dawn deft dewy distant dusky dusty eager early "
    "earnest easy evening faithful fearless fern fleet floral foggy fond frank free fresh frosty gentle gilded glad "
    "golden graceful grand green hardy hazel hidden honest humble idle indigo ivory jade jolly keen kind lively lone "
    "loyal lucky lunar mellow merry mild misty modest mossy neat nimble noble northern olive opal pale patient pearl "
    "plain plucky polite proud quick quiet rapid rosy rustic sandy scarlet serene shady silent silver sleepy solar"
).split()
ANIMALS = (
    "adder albatross alpaca antelope auk avocet badger barbel bat beaver bee bison bittern bream bullfinch bunting "
    "buzzard carp cat chaffinch chamois chough cicada coot cormorant cow crab crane cricket crow cuckoo curlew "
    "dabchick deer dipper dog dolphin donkey dormouse dove dragonfly duck dunlin eagle eel egret eider elk ermine "
    "falcon ferret finch firefly fox frog gannet gecko goat godwit goldcrest goose grebe grouse gull hare harrier "
    "hawk hedgehog heron hoopoe hornet ibex ibis jackdaw jay kestrel kingfisher kite lapwing lark linnet lizard "
    "lynx magpie marmot marten martin merlin mink mole moose moth mouse newt nightjar nuthatch orca osprey otter owl"
).split()
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that are easily misread: no 0/o, no 1/i/l


def pseudonym(digest: bytes) -> str:
    """`amber-heron-7k3qd`, always the same for the same keyed digest of 16 bytes."""
    number, animal = divmod(int.from_bytes(digest, "big"), len(ANIMALS))
    number, adjective = divmod(number, len(ADJECTIVES))
    tail = ""
    for _ in range(5):
        number, letter = divmod(number, len(LETTERS))
        tail += LETTERS[letter]
    return f"{ADJECTIVES[adjective]}-{ANIMALS[animal]}-{tail}"


def other_pseudonym(digest: bytes, taken: Container[str]) -> str:
    """The first free alternative for an account whose pseudonym is taken."""
    others = (pseudonym(hashlib.sha256(digest + number.to_bytes(4, "big")).digest()[:16]) for number in count(1))
    return next(name for name in others if name not in taken)
