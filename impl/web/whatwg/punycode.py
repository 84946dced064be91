"""Punycode, encoded: a label of Unicode as letters, digits and hyphens.

Python's codec decodes in linear time, but takes milliseconds to encode a long label, and a page may hold a million
characters of them.

Source: RFC 3492, 6.1 (bias adaptation), 6.3 (encoding).
"""

from __future__ import annotations

from bisect import bisect
from functools import cache
from typing import Final

_BASE, _TMIN, _TMAX, _SKEW, _DAMP, _BIAS = 36, 1, 26, 38, 700, 72
_DIGITS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"


def encode(label: str) -> str:
    """Return `label` in Punycode, without the prefix "xn--"."""
    # The places of the characters that a decoder has inserted so far, in order.
    places = [place for place, char in enumerate(label) if char < "\x80"]
    basic = len(places)
    parts = [label[place] for place in places] + ["-"] * (basic > 0)
    point, index, bias = 0x80, 0, _BIAS
    for char, place in sorted((ord(char), place) for place, char in enumerate(label) if char >= "\x80"):
        at, size = bisect(places, place), len(places) + 1
        delta = rest = (char - point) * size + at - index
        for threshold in _thresholds(bias):
            if rest < threshold:
                break
            rest, digit = divmod(rest - threshold, _BASE - threshold)
            parts.append(_DIGITS[threshold + digit])
        parts.append(_DIGITS[rest])
        bias = _adapted(delta // (_DAMP if size == basic + 1 else 2), size)
        point, index = char, at + 1
        places.insert(at, place)
    return "".join(parts)


@cache
def _thresholds(bias: int) -> tuple[int, ...]:
    """One for each digit of a number, for more digits than the largest delta of a name has."""
    return tuple(min(max(k - bias, _TMIN), _TMAX) for k in range(_BASE, 24 * _BASE, _BASE))


def _adapted(delta: int, size: int) -> int:
    delta += delta // size
    k = 0
    while delta > (_BASE - _TMIN) * _TMAX // 2:
        delta //= _BASE - _TMIN
        k += _BASE
    return k + (_BASE - _TMIN + 1) * delta // (delta + _SKEW)
