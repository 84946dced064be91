"""The recipe of a run, all that makes it but the program, and its token, which is the recipe in one word.

1.  A recipe holds parameters, such as the order and the network, and the choices, which are those of a seed or those
    recorded in another run.  A token of recorded choices contains those that differ from 0: it is short when few do, as
    after shrinking.
2.  A token has two digests.  That of the widths of all choice points: if it differs, the replay met other choice
    points, so the program has changed.  That of the run's events: if only it differs, the replay was another run,
    because the program depends on more than its choices (simulate.py, 3), or has changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final, Generic, Protocol, Self, TypeAlias, TypeVar

from .choices import LANES, Choices
from .inject import Injection, unpack
from .order import Order
from .token import Packer, TokenError, Unpacker

#: The recorded choices of one lane that differ from 0: how many zeros precede each, and its value.
Sparse: TypeAlias = Sequence[tuple[int, int]]

SEED_MAX: Final = 2**64 - 1
#: The bytes of each digest that a token contains.
DIGEST_BYTES: Final = 6
#: The part of a token's prefix after the kind of program: for a seed, and for recorded choices.
SEEDED: Final = "2-"
RECORDED: Final = "c2-"
#: A token contains no greater choice, and no longer row of zeros.
_CHOICE_MAX: Final = 2**63 - 1
_ZEROS_MAX: Final = 2**32


class Parameters(Protocol):
    """The parameters of a run, besides its choices."""

    def pack(self, packer: Packer) -> object:
        """Add them to a token."""

    def unpack(self, unpacker: Unpacker) -> Self:
        """The parameters of a token, which `pack` wrote.

        Raises:
            TokenError: they are malformed, or do not fit these ones.
        """


P = TypeVar("P", bound=Parameters)


@dataclass(frozen=True, slots=True)
class Recipe(Generic[P]):
    """All that makes a run of a program."""

    #: The kind of program: every token begins with it.
    kind: str
    parameters: P
    #: The seed of the choices, unless they are recorded, and of the module random in any case.
    seed: int = 0
    #: The choices of each lane of LANES; None: those of the seed.
    recorded: Mapping[str, Sparse] | None = None
    #: The beginning of the digest of the widths of the choice points, if this is the recipe of a token.
    widths: bytes = b""
    #: The beginning of the digest of the events, likewise.
    events: bytes = b""

    @classmethod
    def of(cls, kind: str, parameters: P, seed: int, token: str | None) -> Recipe[P]:
        """The recipe of these, or that of the token, if there is one.

        Raises:
            TokenError: it is not a token of that kind, is damaged, or does not fit the parameters.
        """
        if token is None:
            return cls(kind, parameters, seed)
        recorded = token.startswith(kind + RECORDED)
        if not recorded and not token.startswith(kind + SEEDED):
            raise TokenError(f"a token begins with {kind + SEEDED!r} or {kind + RECORDED!r}: {token!r}")
        unpacker = Unpacker(token, kind + (RECORDED if recorded else SEEDED))
        seed, parameters = unpacker.number(SEED_MAX), parameters.unpack(unpacker)
        lanes = {name: _unpack_lane(unpacker) for name in LANES} if recorded else None
        widths, events = unpacker.raw(DIGEST_BYTES), unpacker.raw(DIGEST_BYTES)
        unpacker.end()
        recipe = cls(kind, parameters, seed, lanes, widths, events)
        if recipe._packed(lanes, widths, events) != token:
            raise TokenError(f"no run has this token: {token!r}")
        return recipe

    def choices(self, given: Choices | None = None) -> Choices:
        """The choices of the run, before the first draw: `given` replaces those of the seed.

        Raises:
            ValueError: choices are given for the recipe of a token, which has its own.
        """
        if given is not None:
            if self.widths:
                raise ValueError("a token has the choices of its run: leave out `choices`")
            return given
        if self.recorded is None:
            return Choices.seeded(self.seed)
        return Choices.listed({name: _values(lane) for name, lane in self.recorded.items()})

    def token(self, choices: Choices, events: bytes) -> str:
        """The token of the run that drew from `choices`: of the seed, if they are the seed's, else with the choices.

        Parameters:
            events: the digest of the run's events.

        Raises:
            TokenError: a choice is too great for a token.
        """
        if choices.seed == self.seed:
            return self._packed(None, choices.digest(), events)
        return self.recorded_token(choices, events)

    def recorded_token(self, choices: Choices, events: bytes) -> str:
        """The token that contains the draws from `choices`; parameters and errors as for `token`."""
        recorded = {name: _sparse(choices.lane(name).drawn) for name in LANES}
        return self._packed(recorded, choices.digest(), events)

    def _packed(self, recorded: Mapping[str, Sparse] | None, widths: bytes, events: bytes) -> str:
        packer = Packer().number(self.seed)
        self.parameters.pack(packer)
        for lane in () if recorded is None else recorded.values():
            packer.number(len(lane))
            for zeros, value in lane:
                packer.number(zeros).number(value - 1)
        packer.raw(widths[:DIGEST_BYTES]).raw(events[:DIGEST_BYTES])
        return packer.token(self.kind + (SEEDED if recorded is None else RECORDED))


def order_and_injection(token: str) -> tuple[Order, Injection]:
    """The order and the injection of a token of any kind of program.

    Raises:
        TokenError: it is malformed.
    """
    unpacker = Unpacker(token, token[: token.find("-") + 1])
    unpacker.number(SEED_MAX)
    return unpack(unpacker)


def _sparse(drawn: Sequence[int]) -> Sparse:
    pairs, after = [], 0
    for at, value in enumerate(drawn):
        if value:
            if value > _CHOICE_MAX or at - after > _ZEROS_MAX:
                raise TokenError(f"a token cannot contain the choice {value} after {at - after} zeros")
            pairs.append((at - after, value))
            after = at + 1
    return pairs


def _values(lane: Sparse) -> Iterator[int]:
    for zeros, value in lane:
        yield from repeat(0, zeros)
        yield value


def _unpack_lane(unpacker: Unpacker) -> Sparse:
    # A count that is too great ends at the end of the token, because each pair takes two bytes.
    count = unpacker.number(_ZEROS_MAX)
    return [(unpacker.number(_ZEROS_MAX), unpacker.number(_CHOICE_MAX - 1) + 1) for _ in range(count)]
