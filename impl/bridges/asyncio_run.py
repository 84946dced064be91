"""run: an asyncio program, unmodified, in virtual time on the simulated network; its digest and its token.

Theory of operation.
1.  A run is (program, seed, order, network).  The token holds the seed and the order, with two digests beside them: of
    the network, and of the widths of all choice points, which says whether the program is still the one that made it.
2.  Equal runs are equal event by event, in one process and in two: `Run.digest`.  For that, besides what the loop and
    its fence do, the module random is seeded for the run, and put back; and the cyclic garbage collector, whose
    moments depend on the whole process, runs at counted events only, for what it finalizes may be seen.
3.  A program that has returned is wound up as asyncio.run does: what it left is cancelled, in order of creation, and
    waited for; its asynchronous generators are closed.
4.  What a program draws from elsewhere is its own: os.urandom, uuid4, the order of a set of strings (which
    PYTHONHASHSEED fixes), `datetime.now`.
"""

from __future__ import annotations

import asyncio
import gc
import hashlib
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from ..choices import Choices
from ..errors import DeadlockError
from ..faces import Runnable
from ..net import Weather
from ..order import Order
from ..token import Packer, TokenError, Unpacker
from .asyncio_digest import Digest
from .asyncio_loop import SimEventLoop

T = TypeVar("T")

#: What is run: a coroutine, or a function that makes one.  Any: what a coroutine yields is its runtime's affair.
Main = Coroutine[Any, Any, T] | Callable[[], Coroutine[Any, Any, T]]

PREFIX: Final = "lsa1-"
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


class _Watch(Digest):
    """The digest; it also says when garbage is collected."""

    __slots__ = ()

    def taken(self, item: Runnable) -> None:
        super().taken(item)
        if self.events % _COLLECT_EVERY == 0:
            gc.collect()


def run(
    main: Main[T],
    *,
    seed: int = 0,
    order: Order = "fifo",
    network: Network = DEFAULT,
    token: str | None = None,
) -> T:
    """Run an asyncio program, as asyncio.run does, on a simulated loop.

    Parameters:
        main: a coroutine, or a function without parameters that makes one.
        seed: of all that may vary: latencies, segments, faults; under `any` also who goes next.
        order: `fifo`, as asyncio does it, or `any`: whoever is ready may go next (impl/order.py).
        network: what may happen on the network, and its names.
        token: of a run that is to be repeated; it takes the place of seed and order.

    Raises:
        BaseException: what the program raised; a note of it has the token.
        DeadlockError: the program can never go on; the text names its tasks, their lines and what they wait for.
        TokenError: the token is none, or is of another program or network.
        RuntimeError: an event loop runs in this thread.
    """
    finished = simulate(main, seed=seed, order=order, network=network, token=token)
    if finished.error is not None:
        finished.error.add_note(f"token: {finished.token}")
    return finished.outcome()


def simulate(
    main: Main[T],
    *,
    seed: int = 0,
    order: Order = "fifo",
    network: Network = DEFAULT,
    token: str | None = None,
) -> Run[T]:
    """As `run`, but what the program raised is told, not raised; nor does it if the loop cannot go on.

    Raises:
        TokenError, RuntimeError: as `run`.
        KeyboardInterrupt, SystemExit: the program was interrupted, or has raised it.
    """
    try:
        widths = b""
        if token is not None:
            seed, order, widths = _of_token(token, network)
        if asyncio._get_running_loop() is not None:
            raise RuntimeError("run() cannot be called from a running event loop")
    except BaseException:
        if not callable(main):
            main.close()
        raise
    choices = Choices.seeded(seed)
    watch = _Watch()
    loop = SimEventLoop(choices, network.weather, order, watch)
    for host in network.hosts:
        loop.net.add_host(host)
    result, error, elapsed_ns = _within(seed, loop, main)
    drawn = choices.digest()
    if not drawn.startswith(widths):
        raise TokenError(
            f"this is not the run that the token stands for, the program has changed since: {token!r}"
        ) from error
    return Run(
        result, error, elapsed_ns, watch.events, watch.hexdigest(), _token(seed, order, network, drawn)
    )


def _within(seed: int, loop: SimEventLoop, main: Main[T]) -> tuple[T | None, BaseException | None, int]:
    """Run it, with the process's own randomness and garbage collector set aside."""
    state, collecting = random.getstate(), gc.isenabled()
    random.seed(f"loopspec {seed}")
    gc.disable()
    try:
        result = error = None
        try:
            result = loop.run_until_complete(main() if callable(main) else main)
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as raised:
            error = raised
        finally:
            elapsed_ns = loop.kernel.now
            _wind_up(loop)
        return result, error, elapsed_ns
    finally:
        loop.close()
        random.setstate(state)
        if collecting:
            gc.enable()


def _wind_up(loop: SimEventLoop) -> None:
    """Cancel what is left, and wait for it; one that swallows its cancel and waits on is given up."""
    try:
        left = list(loop.live)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left))
        for task in left:
            if not task.cancelled() and task.exception() is not None:
                what = {"message": "unhandled exception during asyncio.run() shutdown"}
                loop.call_exception_handler({**what, "exception": task.exception(), "task": task})
        loop.run_until_complete(loop.shutdown_asyncgens())
    except DeadlockError:
        pass  # what the program did says more


def _token(seed: int, order: Order, network: Network, widths: bytes) -> str:
    packer = Packer().number(seed).number(_ORDERS.index(order)).raw(network.digest())
    return packer.raw(widths[:_DIGEST_BYTES]).token(PREFIX)


def _of_token(token: str, network: Network) -> tuple[int, Order, bytes]:
    """Seed, order, and the beginning of the digest of the choice points' widths."""
    unpacker = Unpacker(token, PREFIX)
    seed, order = unpacker.number(SEED_MAX), _ORDERS[unpacker.number(len(_ORDERS) - 1)]
    world, widths = unpacker.raw(_DIGEST_BYTES), unpacker.raw(_DIGEST_BYTES)
    unpacker.end()
    if world != network.digest():
        raise TokenError(f"the token is of a run on another network: {token!r}")
    return seed, order, widths
