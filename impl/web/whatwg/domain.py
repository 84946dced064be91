"""International domain names in ASCII: UTS 46's ToASCII, with the flags that the URL standard sets.

CheckBidi and CheckJoiners are on; CheckHyphens, UseSTD3ASCIIRules, Transitional_Processing, VerifyDnsLength and
IgnoreInvalidPunycode are off.  The package idna has the tables and the rules of single labels.  `idna.encode` does not
serve: it holds names to IDNA 2008, which refuses names that browsers open.

Directions, combining marks and normal forms are those of Python's Unicode, which is older than idna's in old Pythons.

Source: URL standard, 3.3; UTS 46, 4 (Processing) and 4.1 (Validity Criteria).
"""

from __future__ import annotations

import re
from bisect import bisect
from functools import cache
from typing import Final
from unicodedata import bidirectional

from idna import check_bidi, check_initial_combiner, uts46_remap, valid_contextj

_ACE: Final = "xn--"
_JOINERS: Final = re.compile("[\u200c\u200d]")
#: Four times the most that DNS carries (RFC 1035, 2.3.4); newer versions of idna take no more.
_MOST: Final = 1024
_RIGHT_TO_LEFT: Final = {"R", "AL", "AN"}


def to_ascii(domain: str) -> str:
    """Return the ASCII form of `domain`.

    An ASCII domain is only put in lower case, even if its "xn--" labels mean nothing, as browsers do.

    Raises:
        ValueError: it breaks a rule of UTS 46, or is not ASCII and has more than 1,024 characters.
    """
    if domain.isascii():
        return domain.lower()
    if len(domain) > _MOST:
        raise ValueError(f"a domain of more than {_MOST} characters")
    labels = [_unicode(label) for label in uts46_remap(domain, std3_rules=False).split(".")]
    both_ways = not _RIGHT_TO_LEFT.isdisjoint(map(bidirectional, "".join(labels)))
    for label in filter(None, labels):
        _check(label, both_ways)
    return ".".join(label if label.isascii() else _ACE + punycode(label) for label in labels)


def _unicode(label: str) -> str:
    """A label, decoded if it is Punycode; only the output of ToASCII for a mapped label is."""
    if not label.startswith(_ACE):
        return label
    code = label.removeprefix(_ACE)
    decoded = code.encode("ascii").decode("punycode")
    # Python's codec takes a "-" before nothing but digits, too, as RFC 3492 does not.
    if decoded.isascii() or punycode(decoded) != code:
        raise ValueError(f"no Punycode: {label}")
    if decoded.startswith(_ACE) or uts46_remap(decoded, std3_rules=False) != decoded:
        raise ValueError(f"Punycode of a label that is not as UTS 46 maps it: {label}")
    return decoded


def _check(label: str, both_ways: bool) -> None:
    """Raise ValueError if a label that is not empty breaks a validity criterion.

    both_ways: the domain holds a label that is written from right to left, so the Bidi rule holds for each label.
    """
    check_initial_combiner(label)
    if not all(valid_contextj(label, joiner.start()) for joiner in _JOINERS.finditer(label)):
        raise ValueError(f"a joiner with nothing to join: {label}")
    if both_ways:
        check_bidi(label, check_ltr=True)


_BASE, _TMIN, _TMAX, _SKEW, _DAMP, _BIAS = 36, 1, 26, 38, 700, 72
_DIGITS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"


def punycode(label: str) -> str:
    """Return `label` in Punycode, without the prefix "xn--": as letters, digits and hyphens.

    Python's codec decodes in linear time, but takes milliseconds to encode a long label, and a page may hold a million
    characters of them.

    Source: RFC 3492, 6.1 (bias adaptation), 6.3 (encoding).
    """
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
