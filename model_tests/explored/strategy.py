"""A Hypothesis strategy for schedules: the inputs of a program and the order of its tasks shrink together.

    import asyncio
    from hypothesis import given, strategies as st
    from model_tests.explored import schedules

    async def shop(stock, wants):
        left = stock

        async def buy(amount):
            nonlocal left
            if left >= amount:
                await asyncio.sleep(0)  # the payment
                left -= amount

        await asyncio.gather(*map(buy, wants))
        assert left >= 0

    @given(st.integers(1, 5), st.lists(st.integers(1, 3), min_size=1, max_size=5), schedules())
    def test_shop(stock, wants, schedule):
        schedule.run(lambda: shop(stock, wants))

Hypothesis reports the smallest failing example: `stock=1, wants=[1, 1], schedule=Schedule()`, the schedule of asyncio
itself.  A schedule is a string of bytes for each lane of choices (impl/sim/choices.py), because Hypothesis shrinks
bytes well: it deletes, zeroes and lowers them, and 0 is always the plain choice.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, TypeVar

from hypothesis import strategies as st

from impl.bridges.network import DEFAULT, Network
from impl.runners.simulate import Run
from impl.sim.choices import LANES, Choices, Source
from impl.sim.end import Main
from impl.sim.order import Order

T = TypeVar("T")
Runtime = Literal["asyncio", "impl", "trio"]

#: Choices beyond this many bytes are 0.  The schedules of small programs have less than 100 choices.
BYTES: Final = 60


@dataclass(frozen=True, slots=True, repr=False)
class Schedule:
    """The choices of one run: the bytes of each lane, a byte a choice; after their end every choice is 0.

    A choice of more than 256 possibilities takes as many bytes as its number of possibilities needs.
    """

    schedule: bytes = b""
    network: bytes = b""
    faults: bytes = b""
    program: bytes = b""

    def __repr__(self) -> str:
        lanes = {field.name: getattr(self, field.name) for field in fields(self)}
        return f"Schedule({', '.join(f'{name}={data!r}' for name, data in lanes.items() if any(data))})"

    def choices(self) -> Choices:
        """Choices that draw from these bytes, from their beginning."""

        def source(lane: str) -> Source:
            left: Iterator[int] = iter(getattr(self, lane))

            def value(n: int) -> int:
                number = 0
                for _ in range(((n - 1).bit_length() + 7) // 8):
                    number = number << 8 | next(left, 0)
                return number % n

            return value

        return Choices(source)

    def run(
        self, main: Main[T], *, runtime: Runtime = "asyncio", order: Order = "any", network: Network = DEFAULT
    ) -> T:
        """Run a program under this schedule, in virtual time, and return its result.

        Parameters:
            main: a function without parameters that returns a coroutine, or a coroutine; trio needs a function.
            runtime: the names that the program uses: asyncio's, impl's or trio's.
            order: `any`: any ready task may run next; `fifo`: only the network and the faults vary.
            network: the conditions of the network; a program of impl makes its own.

        Raises:
            BaseException: the program's error; a note of it has the token of the run.
            DeadlockError: the program cannot continue.
            ValueError: there is no such runtime.
        """
        return self._run(main, runtime, order, network).noted()

    def _run(self, main: Main[T], runtime: Runtime, order: Order, network: Network) -> Run[T]:
        # Each runtime is imported only if it is used: trio need not be installed.
        if runtime == "impl":
            from impl.runners.simulate import simulate as simulate_impl

            return simulate_impl(main, order=order, choices=self.choices())
        if runtime == "asyncio":
            from impl.bridges.asyncio.run import simulate

            return simulate(main, order=order, network=network, choices=self.choices())
        if runtime == "trio" and callable(main):
            from impl.bridges.trio.run import simulate_trio

            run: Run[Any] = simulate_trio(main, order=order, network=network, choices=self.choices())
            return run
        raise ValueError(f"no such runtime for {main!r}: {runtime!r}; there are asyncio, impl, and trio for functions")


def schedules(lanes: Collection[str] = ("schedule",), *, max_size: int = BYTES) -> st.SearchStrategy[Schedule]:
    """Schedules for the programs of a test; they shrink towards asyncio's own order and an ideal network.

    Parameters:
        lanes: those that Hypothesis draws, of `impl.sim.choices.LANES`; in the others every choice is 0.
        max_size: the most bytes of a lane.

    Raises:
        ValueError: a lane has another name.
    """
    if unknown := sorted(set(lanes) - set(LANES)):
        raise ValueError(f"no such lane: {', '.join(unknown)}; the lanes are {', '.join(LANES)}")
    return st.builds(Schedule, **{lane: st.binary(max_size=max_size) for lane in LANES if lane in lanes})
