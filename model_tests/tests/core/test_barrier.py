"""Barrier: all parties, places, draining, reset, abort, and who is cancelled."""

from __future__ import annotations

import pytest

import impl
from impl import sleep


async def turns(number: int = 9) -> None:
    for _ in range(number):
        await sleep(0)


@pytest.mark.parametrize("parties", [0, -1])
def test_it_takes_a_party(parties: int) -> None:
    with pytest.raises(ValueError, match="parties"):
        impl.Barrier(parties)


def test_one_party_never_waits() -> None:
    barrier = impl.Barrier(1)
    for _ in range(2):
        assert impl.run(barrier.wait()) == 0


def test_all_go_on_when_the_last_has_come() -> None:
    """BARRIER-1: each with a place of its own; again and again."""

    async def main() -> list[list[int]]:
        barrier = impl.Barrier(3)
        rounds = []
        for _ in range(3):
            tasks = [impl.create_task(barrier.wait()) for _ in range(2)]
            await turns()
            assert (barrier.n_waiting, barrier.parties, barrier.broken) == (2, 3, False)
            assert not any(task.done() for task in tasks)
            place = await barrier.wait()
            rounds.append([place, *[await task for task in tasks]])
            assert barrier.n_waiting == 0
        return rounds

    assert [sorted(places) for places in impl.run(main())] == [[0, 1, 2]] * 3


def test_async_with_gives_the_place() -> None:
    async def main() -> int:
        async with impl.Barrier(1) as place:
            return place

    assert impl.run(main()) == 0


def test_no_place_is_taken_twice_after_a_cancel() -> None:
    """BARRIER-1, BARRIER-4 (gh-155233)."""

    async def main() -> list[int]:
        barrier = impl.Barrier(3)
        first, second = (impl.create_task(barrier.wait()) for _ in range(2))
        await turns()
        first.cancel()
        await turns()
        assert (first.cancelled(), barrier.n_waiting) == (True, 1)
        others = [impl.create_task(barrier.wait()) for _ in range(2)]
        return [await task for task in (second, *others)]

    assert sorted(impl.run(main())) == [0, 1, 2]


def test_newcomers_wait_while_it_drains() -> None:
    """BARRIER-5: who goes round at once does not take part in the same opening twice."""

    async def main() -> list[tuple[str, int]]:
        barrier = impl.Barrier(2)
        passed: list[tuple[str, int]] = []

        async def goes_round(name: str) -> None:
            for lap in range(3):
                await barrier.wait()
                passed.append((name, lap))

        tasks = [impl.create_task(goes_round(name)) for name in "ab"]
        for task in tasks:
            await task
        return passed

    laps = [lap for _, lap in impl.run(main())]
    assert laps == [0, 0, 1, 1, 2, 2]


def test_reset_sends_away_who_waits_and_leaves_it_new() -> None:
    """BARRIER-2."""

    async def main() -> list[int]:
        barrier = impl.Barrier(3)
        tasks = [impl.create_task(barrier.wait()) for _ in range(2)]
        await turns()
        await barrier.reset()
        for task in tasks:
            with pytest.raises(impl.BrokenBarrierError):
                await task
        assert (barrier.n_waiting, barrier.broken) == (0, False)
        tasks = [impl.create_task(barrier.wait()) for _ in range(3)]
        return [await task for task in tasks]

    assert sorted(impl.run(main())) == [0, 1, 2]


def test_abort_breaks_it_until_a_reset() -> None:
    """BARRIER-3."""

    async def main() -> int:
        barrier = impl.Barrier(2)
        task = impl.create_task(barrier.wait())
        await turns()
        await barrier.abort()
        assert (barrier.broken, repr(barrier)) == (True, "<Barrier [broken]>")
        for waiter in (task, impl.create_task(barrier.wait())):
            with pytest.raises(impl.BrokenBarrierError):
                await waiter
        await barrier.reset()
        assert not barrier.broken
        impl.create_task(barrier.wait())
        return await barrier.wait()

    assert impl.run(main()) in (0, 1)


def test_the_error_is_its_own_class_attribute() -> None:
    """A bridge has another runtime's."""

    class Mine(RuntimeError):
        pass

    class Other(impl.Barrier):
        Broken = Mine

    async def main() -> None:
        barrier = Other(2)
        await barrier.abort()
        await barrier.wait()

    with pytest.raises(Mine):
        impl.run(main())
