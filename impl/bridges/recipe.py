"""A run on a bridge: its network, how it ended, its token, and what is set aside of the process while it lasts.

Theory of operation.
1.  A run is (program, seed, order, network).  The token holds the seed and the order, with two digests beside them: of
    the network, and of the widths of all choice points, which says whether the program is still the one that made it.
2.  Equal runs are equal event by event, in one process and in two.  For that the module random is seeded for the run,
    and put back; and the cyclic garbage collector, whose moments depend on the whole process, runs at counted events
    only, for what it finalizes may be seen.
3.  What a program draws from elsewhere is its own: os.urandom, uuid4, the order of a set of strings (which
    PYTHONHASHSEED fixes), `datetime.now`.
"""

from __future__ import annotations

import gc
import hashlib
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from ..net import Weather
from ..sim.order import Order
from ..sim.token import Packer, TokenError, Unpacker

T = TypeVar("T")

#: What is kept of a digest in a token, in bytes.
_DIGEST_BYTES: Final = 6
_ORDERS: Final[tuple[Order, ...]] = ("fifo", "any")
SEED_MAX: Final = 2**64 - 1

#: How many events are between two collections of garbage.
_COLLECT_EVERY: Final = 1 << 18


@dataclass(frozen=True, slots=True)
class Network:
    """The network of a run: what may happen on it, and the names there are besides those at which a server listens."""

    weather: Weather = Weather(latency_ms_max=20, segments_max=3)  # noqa: RUF009  (it is frozen)
    hosts: tuple[str, ...] = ()

    def digest(self) -> bytes:
        return hashlib.sha256(repr(self).encode()).digest()[:_DIGEST_BYTES]


DEFAULT: Final = Network()


@dataclass(frozen=True, slots=True)
class Run(Generic[T]):
    """A run that is over: `error` is what the program raised, or DeadlockError; else it returned `result`."""

    result: T | None
    error: BaseException | None
    elapsed_ns: int  # virtual, until the program returned or raised
    events: int
    digest: str
    token: str

    def outcome(self) -> T:
        """The result.

        Raises:
            BaseException: the error.
        """
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value]  # without an error it is one


@dataclass(frozen=True, slots=True)
class Recipe:
    """What makes a run of a program; `prefix` begins its tokens and names the kind of program."""

    prefix: str
    seed: int
    order: Order
    network: Network
    #: The beginning of the digest of the widths of the choice points, if it is to be the run of a token.
    widths: bytes = b""

    @classmethod
    def of(cls, prefix: str, seed: int, order: Order, network: Network, token: str | None) -> Recipe:
        """The recipe; the token, if there is one, takes the place of seed and order.

        Raises:
            TokenError: the token is none, or is of another network.
        """
        if token is None:
            return cls(prefix, seed, order, network)
        unpacker = Unpacker(token, prefix)
        seed, order = unpacker.number(SEED_MAX), _ORDERS[unpacker.number(len(_ORDERS) - 1)]
        world, widths = unpacker.raw(_DIGEST_BYTES), unpacker.raw(_DIGEST_BYTES)
        unpacker.end()
        if world != network.digest():
            raise TokenError(f"the token is of a run on another network: {token!r}")
        return cls(prefix, seed, order, network, widths)

    def token(self, widths: bytes, error: BaseException | None) -> str:
        """The token of the run, whose choice points had widths of this digest, and which raised `error`, if it did.

        Raises:
            TokenError: it was to be the run of a token, and is not.
        """
        packer = Packer().number(self.seed).number(_ORDERS.index(self.order)).raw(self.network.digest())
        token = packer.raw(widths[:_DIGEST_BYTES]).token(self.prefix)
        if not widths.startswith(self.widths):
            raise TokenError(
                f"this is not the run that the token stands for, the program has changed since; now it is {token!r}"
            ) from error
        return token


@contextmanager
def aside(seed: int) -> Iterator[None]:
    """While it lasts, the module random is seeded, and garbage is collected by a `Collector` only."""
    state, collecting = random.getstate(), gc.isenabled()
    random.seed(f"loopspec {seed}")
    gc.disable()
    try:
        yield
    finally:
        random.setstate(state)
        if collecting:
            gc.enable()


class Collector:
    """Collects garbage at counted events."""

    __slots__ = ("_next",)

    def __init__(self) -> None:
        self._next = _COLLECT_EVERY

    def at(self, event: int) -> None:
        """Collect, if it is time to at the event of that number."""
        if event >= self._next:
            self._next = event + _COLLECT_EVERY
            gc.collect()
