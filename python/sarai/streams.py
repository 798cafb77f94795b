"""The engine's random streams, number for number, in Python.

A rollout keeps every decision but not the dice between them. Whoever knows the stream of a game knows its dice
as well: game i of a seed is played on `Stream(seed, i)`, and this is the same stream as the engine's.
"""

from __future__ import annotations

import math
import struct
from fractions import Fraction
from functools import lru_cache

_U32 = 0xFFFF_FFFF
_U64 = 0xFFFF_FFFF_FFFF_FFFF

_CONSTANTS = struct.unpack("<4I", b"expand 32-byte k")
_QUARTERS = (
    (0, 4, 8, 12),
    (1, 5, 9, 13),
    (2, 6, 10, 14),
    (3, 7, 11, 15),
    (0, 5, 10, 15),
    (1, 6, 11, 12),
    (2, 7, 8, 13),
    (3, 4, 9, 14),
)

MAX_TOTAL = 64
"""The largest sum of weights that the engine gives a chance node."""


def _turned(value: int, by: int) -> int:
    """32 bits, rotated to the left."""
    return (value << by | value >> (32 - by)) & _U32


def _chacha12(key: bytes, number: int) -> bytes:
    """The first 64 bytes of a ChaCha12 stream, in the original layout with 64 bits each of counter and stream."""
    start = [*_CONSTANTS, *struct.unpack("<8I", key), 0, 0, number & _U32, number >> 32]
    words = list(start)
    for _ in range(6):
        for a, b, c, d in _QUARTERS:
            for left, right in ((16, 12), (8, 7)):
                words[a] = (words[a] + words[b]) & _U32
                words[d] = _turned(words[d] ^ words[a], left)
                words[c] = (words[c] + words[d]) & _U32
                words[b] = _turned(words[b] ^ words[c], right)
    return struct.pack("<16I", *((new + old) & _U32 for new, old in zip(words, start, strict=True)))


class Stream:
    """Random numbers of one game: xoshiro256++, started from a cipher under the seed.

    >>> stream = Stream(42, 42)
    >>> [stream.below(36) for _ in range(4)]
    [6, 10, 15, 19]
    """

    def __init__(self, seed: int, number: int) -> None:
        self._state: tuple[int, int, int, int] = struct.unpack(
            "<4Q", _chacha12(struct.pack("<Q", seed) + bytes(24), number)[:32]
        )

    def next_u64(self) -> int:
        """The next 64 bits."""
        a, b, c, d = self._state
        sum_ = (a + d) & _U64
        drawn = ((sum_ << 23 | sum_ >> 41) + a) & _U64
        c ^= a
        d ^= b
        self._state = (a ^ d, b ^ c, c ^ (b << 17) & _U64, (d << 45 | d >> 19) & _U64)
        return drawn

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely."""
        reject = (1 << 32) % n
        while True:
            product = (self.next_u64() >> 32) * n
            if product & _U32 >= reject:
                return product >> 32

    def outcome(self, outcomes: list[tuple[int, float]]) -> int:
        """One of a chance node's outcomes by their probabilities."""
        places = _slots(tuple(share for _, share in outcomes))
        return outcomes[places[self.below(len(places))]][0]


@lru_cache(maxsize=64)
def _slots(probabilities: tuple[float, ...]) -> tuple[int, ...]:
    """The place of the outcome for each unit of weight."""
    shares = [Fraction(share).limit_denominator(MAX_TOTAL) for share in probabilities]
    total = math.lcm(*(share.denominator for share in shares))
    return tuple(place for place, share in enumerate(shares) for _ in range(int(share * total)))
