"""run_trio: a trio program, unmodified, in virtual time on the simulated network; its digest and its token.

1.  Our kernel has the time (clock.py), trio its tasks, in an order that our choices decide (order.py); `trio.socket`
    reaches the simulated network (sockets.py).  All but the order uses public names of trio only.
2.  The recipe of a run, its token, and the isolation of the process: runners/simulate.py.
3.  While the program runs, the guard (bridges/asyncio/guard.py) refuses real sockets and processes, and the module time
    has the virtual time.  Threads are simulated (guest.py).
4.  A run that cannot continue is cancelled, so that the program cleans up; its error is the report (report.py),
    however the program ends.  If it cannot continue even then, it is abandoned.
5.  Asynchronous generators that the program has left are closed in the order of their start.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, Final, Generic, TypeVar, TypeVarTuple
from weakref import WeakValueDictionary

import trio

from ...errors import PACKAGE, DeadlockError, InternalError, Refusal, refusal_in
from ...net import SimulatedNet
from ...runners.simulate import Run, finished, isolated
from ...sim.choices import Choices
from ...sim.end import End
from ...sim.garbage import Collector
from ...sim.inject import NOTHING, Injection
from ...sim.kernel import Kernel
from ...sim.limits import RunLimits
from ...sim.loop_base import AsyncGenRegistry
from ...sim.observers import Observers
from ...sim.order import Order as Grade
from ...sim.outcome import outcome_of
from ...sim.recipe import Recipe
from ...threads.group import check_preemption
from ..asyncio.guard import guard
from ..digest import BridgeDigest
from ..network import DEFAULT, TRIO_KIND, Network, Setting
from ..output import unflushed
from ..own_thread import off_loop
from ..simulation import enter
from ..virtual_clock import VirtualClock
from .clock import KernelClock
from .guest import TrioGuest
from .injection import InjectedCancels
from .order import Abandoned, Order, arranged_by, check_version, close_abandoned
from .report import Numbers, report
from .sockets import HostnameResolver, SocketFactory, SocketRegistry, TrioSimSocket
from .trace import TrioRecorder

__all__ = ["DEFAULT", "KIND", "Network", "Run", "run_trio", "simulate_trio"]

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

KIND: Final = TRIO_KIND


def run_trio(
    main: Callable[[*Ts], Awaitable[T]],
    *args: *Ts,
    seed: int = 0,
    order: Grade = "fifo",
    network: Network = DEFAULT,
    token: str | None = None,
) -> T:
    """Run a trio program, as trio.run does, in virtual time.

    Parameters:
        main, args: as trio.run's.
        seed: of all that may vary: latencies, segments, faults; under `any` also which ready task runs next.
        order: `fifo`: tasks run in the order of their wake-ups; or `any`: any ready task may run next, as
            trio's contract says.
        network: the conditions of the network, and its names.
        token: of a run to repeat; it replaces seed and order.

    Raises:
        BaseException: the program's error; a note of it has the token.
        DeadlockError: the program cannot continue; the text lists its tasks, with the line and the reason of each wait.
        OutsideSimulation: the program waits for something of the real world.
        TokenError: the token is malformed, or is of another program or network.
        UntestedTrio: this version of trio is not known.
        RuntimeError: trio runs in this thread.
    """
    return simulate_trio(main, *args, seed=seed, order=order, network=network, token=token).noted()


@off_loop(unflushed)
def simulate_trio(
    main: Callable[[*Ts], Awaitable[T]],
    *args: *Ts,
    seed: int = 0,
    order: Grade = "fifo",
    network: Network = DEFAULT,
    token: str | None = None,
    choices: Choices | None = None,
    trace: bool = False,
    inject: Injection = NOTHING,
    prepare: Callable[[SimulatedNet, Kernel], object] = lambda net, kernel: None,
    instruments: Sequence[trio.abc.Instrument] = (),
    limits: RunLimits | None = None,
) -> Run[T]:
    """As `run_trio`, but errors of the program and deadlocks are returned (`Run.error`), not raised.

    Parameters, besides those of run_trio:
        choices: drawn from instead of those of the seed; the token of the run then contains them.
        trace: whether to record the events of sim/trace.py.
        inject: late timers, timeouts and cancels; a task is cancelled by the innermost scope around it (injection.py).
        prepare: called with the network and its clock before the run, to put something there.
        instruments: as trio.run's.
        limits: how many passes it may take; None: those of a run by itself.

    Raises:
        TokenError, UntestedTrio, RuntimeError: as `run_trio`.
        ValueError: choices are given beside a token, or the network has real servers.
        KeyboardInterrupt: the program was interrupted, or has raised it.
    """
    if network.outside:
        raise ValueError("real servers are hosts of the network for programs of asyncio only")
    recipe = Recipe.of(KIND, Setting(order, network, inject), seed, token)
    drawn = recipe.choices(choices)
    check_preemption(recipe.parameters.inject)
    check_version()
    if trio.lowlevel.in_trio_run():
        raise RuntimeError("run_trio() cannot be called from within a run of trio")
    digest, recorder = BridgeDigest(), TrioRecorder() if trace else None
    order, inject = recipe.parameters.order, recipe.parameters.inject
    watching = digest if recorder is None else Observers(recorder, digest)
    kernel = _Kernel(drawn, order, watching, inject=replace(inject, cancel=(), timeouts=False))
    net = SimulatedNet(kernel, drawn, network.conditions)
    net.add_loopback()
    for host in network.hosts:
        net.add_host(host)
    prepare(net, kernel)
    run: _Run[T] = _Run(kernel, net, Order(order, drawn.schedule.pick, digest), limits or RunLimits.of_one(), recorder)
    run.injected = InjectedCancels(inject, drawn, kernel, run.own) if inject.interrupts() else None
    with isolated(recipe.seed):
        run.run(main, args, digest, instruments)
    said = "" if run.error is None else outcome_of(None, run.error)
    end = End(run.result, run.error, run.elapsed_ns, said)
    again = partial(simulate_trio, main, *args, prepare=prepare, network=network, limits=limits)
    return finished(recipe, drawn, end, digest, recorder).check(again)


class _Kernel(Kernel):
    """A kernel that runs no task, and knows which there are."""

    __slots__ = ("tasks",)

    tasks: Callable[[], Numbers]

    def alive(self) -> Numbers:
        return self.tasks()


class _Run(TrioGuest, Generic[T]):
    """One run: trio, its clock and its order; a guest of the guard."""

    def __init__(
        self,
        kernel: _Kernel,
        net: SimulatedNet,
        order: Order,
        limits: RunLimits,
        recorder: TrioRecorder | None,
    ) -> None:
        self.kernel = kernel
        self.clock = VirtualClock(kernel)
        self.net = net
        self.descriptors: WeakValueDictionary[int, TrioSimSocket] = WeakValueDictionary()
        self.envelopes: dict[int, bytes] = {}
        self.serial = count(1).__next__
        self.result: T | None = None
        self.error: BaseException | None = None
        self.refused: BaseException | None = None
        self.elapsed_ns = 0
        self.order = order
        kernel.limits = self.limits = limits
        kernel.tasks = self.own
        self._recorder = recorder
        self._scope = trio.CancelScope()
        self._trios: frozenset[int] = frozenset()  # the numbers of trio's own tasks; none until the program begins
        self.injected: InjectedCancels | None = None
        self._stuck: Exception | None = None
        self._refused: BaseException | None = None  # before main had ended

    def run(
        self,
        main: Callable[[*Ts], Awaitable[T]],
        args: tuple[*Ts],
        digest: BridgeDigest,
        instruments: Sequence[trio.abc.Instrument],
    ) -> None:
        """Run the program to its end."""
        clock = KernelClock(self.kernel, self.clock, self.order, self._cannot_go_on, self.limits)
        watch: list[trio.abc.Instrument] = [_Sweep(digest), self.order, clock, *instruments]
        if self._recorder is not None:
            clock.fired = self._recorder.fired
            watch.insert(0, self._recorder)
        if self.injected is not None:
            self.injected.fired = clock.fired
            watch.append(self.injected)
        try:
            with guard(), arranged_by(self.order), self.threads_ended():
                trio.run(self._program, main, args, clock=clock, instruments=watch)
        except KeyboardInterrupt:
            raise
        except trio.TrioInternalError as raised:
            cause = raised.__cause__
            if not isinstance(cause, Abandoned | Refusal | KeyboardInterrupt):
                raise InternalError.of(cause or raised) from cause
            self._refused = self._refused or refusal_in(cause)
            close_abandoned(sorted(self.order.numbers, key=self.order.numbers.__getitem__, reverse=True))
            if isinstance(cause, KeyboardInterrupt):
                raise cause from None
        except BaseException as raised:
            self.error = raised
        finally:
            enter(None)
        if final := self._refused or self.unending or refusal_in(self.error) or self._stuck:
            self.result, self.error = None, final

    async def _program(self, main: Callable[[*Ts], Awaitable[T]], args: tuple[*Ts]) -> None:
        task, numbers = trio.lowlevel.current_task(), self.order.numbers
        task.name = _name_of(main)
        self._trios = frozenset(numbers.values()) - {numbers[task]}
        trio.socket.set_custom_socket_factory(SocketFactory(SocketRegistry(self.net, self.serial, self.descriptors)))
        trio.socket.set_custom_hostname_resolver(HostnameResolver(self.net))
        if self._recorder is not None:
            self._recorder.begin(task)
        enter(self)  # from here on: trio itself needs a pair of real sockets
        begun = _generators()
        try:
            with self._scope:
                self.result = await main(*args)
        finally:
            self.elapsed_ns, self._refused = self.kernel.now, self.refused
            await _close(begun)
            enter(None)

    def _cannot_go_on(self, why: DeadlockError | None) -> None:
        if self._stuck is not None:
            self.order.abandon = True
            return
        self._stuck = report(self.own(), self.threads, why)
        self._scope.cancel()

    def own(self) -> Numbers:
        """The tasks that are not trio's own."""
        if not self._trios:
            return {}
        return {task: number for task, number in self.order.numbers.items() if number not in self._trios}


def _name_of(main: Any) -> str:  # Any: whatever can be called
    """The name of the program's first task, without an address."""
    function = main.func if isinstance(main, partial) else main
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}.{named.__qualname__}"


def _generators() -> AsyncGenRegistry:
    """Take note of each asynchronous generator that is begun, besides trio's own hooks."""
    begun = AsyncGenRegistry()
    hooks = sys.get_asyncgen_hooks()

    def first(generator: AsyncGenerator[Any, Any]) -> None:
        begun.add(generator)
        if hooks.firstiter is not None:
            hooks.firstiter(generator)

    sys.set_asyncgen_hooks(first, hooks.finalizer)
    return begun


async def _close(begun: AsyncGenRegistry) -> None:
    """Close them as trio would, but in the order of their start, not of a set."""
    for generator in begun.take():
        with trio.CancelScope(shield=True) as scope:
            scope.cancel()
            try:
                await generator.aclose()
            except Exception:
                logging.getLogger(PACKAGE).exception("%r did not close", generator)


class _Sweep(trio.abc.Instrument):
    """Collects garbage before a step, when it is time to."""

    def __init__(self, digest: BridgeDigest) -> None:
        self._digest = digest
        self._collector = Collector()

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self._collector.at(self._digest.count)
