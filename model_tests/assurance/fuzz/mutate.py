"""Mutants of example inputs, by operations on bytes and on the tokens of a language.

Source: the operations are those of AFL's "havoc" stage and of its dictionaries.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

Choose = Callable[[int], int]

#: The most operations on one input.
_OPERATIONS_MAX: Final = 6
#: A repeated part, and the times: long enough to show quadratic time.
_PART_MAX: Final = 32
_REPEATED: Final = (2, 3, 16, 200)
#: Bytes that end or begin something in most languages, and those that are in none.
_ODD: Final = b"\0\t\n\r\x1b \"#%&'()*+,-./:;<=>?@[\\]`{|}\x7f\x80\xc0\xe2\xed\xf4\xfe\xff0A"


def mutated(choose: Choose, corpus: Sequence[bytes], tokens: Sequence[bytes], most: int) -> bytes:
    """Return an example of `corpus` after some operations, cut to `most` bytes; `choose(n)` draws from range(n)."""
    data = corpus[choose(len(corpus))]
    for _ in range(1 + choose(1 + choose(_OPERATIONS_MAX))):  # most often one or two
        at, end = _part(choose, data)
        part = data[at:end]
        match choose(9):
            case 0:  # change a byte
                data = data[:at] + bytes([_ODD[choose(len(_ODD))]]) + data[at + 1 :]
            case 1:  # flip a bit
                data = data[:at] + bytes([byte ^ 1 << choose(8) for byte in data[at : at + 1]]) + data[at + 1 :]
            case 2:
                data = data[:at] + data[end:]
            case 3:
                data = data[:at] + part * _REPEATED[choose(len(_REPEATED))] + data[end:]
            case 4:
                data = data[:at] + tokens[choose(len(tokens))] + data[at:]
            case 5:
                data = data[:at] + tokens[choose(len(tokens))] + data[end:]
            case 6:  # move a part to the front of another place
                rest = data[:at] + data[end:]
                to = choose(len(rest) + 1)
                data = rest[:to] + part + rest[to:]
            case 7:  # put a line of an example in the place of one
                theirs, ours = (each.split(b"\n") for each in (corpus[choose(len(corpus))], data))
                ours[choose(len(ours))] = theirs[choose(len(theirs))]
                data = b"\n".join(ours)
            case _:  # go on with the end of another example
                other = corpus[choose(len(corpus))]
                data = data[:at] + other[choose(len(other) + 1) :]
    return data[:most]


def cut(choose: Choose, data: bytes) -> list[bytes]:
    """Cut an input into a few segments, none of them empty."""
    places = sorted({choose(len(data) + 1) for _ in range(1 + choose(6))} | {0, len(data)})
    return [data[start:end] for start, end in pairwise(places)]


def _part(choose: Choose, data: bytes) -> tuple[int, int]:
    at = choose(len(data) + 1)
    return at, min(len(data), at + 1 + choose(_PART_MAX))
