"""Exhaustive search with reduction: the classics, closed forms, the verdict, and the way back to a schedule."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import ModuleType

import pytest

import impl
from impl.explore.reduction.drive import Main
from impl.explore.reduction.exhaust import Exhaustion, Hosts, choices_of, exhaust
from impl.explore.reduction.host_asyncio import asyncio_hosts
from impl.explore.reduction.host_impl import impl_hosts
from impl.explore.reduction.program import execute

from ....assurance.reduction.table import on_impl, row
from ....examples import races as races_file
from . import forms

#: The classics: schedules, the most runs that the reduction may need, and the outcomes.
CLASSICS = {
    "lost_update": (63, 6, 2),
    "two_locks": (153, 5, 2),
    "swallowed_cancel": (20, 4, 2),
    "dead_consumer": (1532, 97, 3),
    "item_lost": (5623, 48, 3),
    "seen_set": (7249, 75, 2),
    "right_lock": (12, 4, 1),
    "independent": (13830, 1, 1),
}


#: How a search runs programs, by runtime.
HOSTS: dict[str, Hosts] = {"impl": impl_hosts, "asyncio": asyncio_hosts}


@cache
def classics(rewritten: bool) -> ModuleType:
    """The races with impl in the place of asyncio."""
    return on_impl()[rewritten]


def naive(main: Main) -> Exhaustion:
    return exhaust(main, impl_hosts, algorithm="naive", rewrites=False)


@pytest.mark.parametrize("runtime", HOSTS)
@pytest.mark.parametrize("name", CLASSICS)
def test_a_classic_is_exhausted(name: str, runtime: str) -> None:
    schedules, most, outcomes = CLASSICS[name]
    most = 9 if (name, runtime) == ("independent", "asyncio") else most
    found = exhaust(getattr(classics(True) if runtime == "impl" else races_file, name), HOSTS[runtime])
    assert found.exhausted
    assert found.runs <= most
    assert (found.unknown, len(found.outcomes)) == (0, outcomes)
    if schedules > 500:
        assert most * 10 <= schedules
    failures = [first for first in found.outcomes.values() if first.end.error is not None]
    assert bool(failures) is (name not in ("right_lock", "independent"))


@pytest.mark.parametrize("name", CLASSICS)
def test_it_has_the_outcomes_of_every_schedule(name: str, full: bool) -> None:
    schedules, *_ = CLASSICS[name]
    if schedules > 200 and not full:
        pytest.skip("--full runs more than 200 schedules")
    every = naive(getattr(classics(False), name))
    assert every.runs == schedules
    found = exhaust(getattr(classics(True), name), impl_hosts)
    assert set(found.outcomes) == set(every.outcomes)


def test_a_row_of_the_table() -> None:
    every, found = naive(classics(False).right_lock), exhaust(classics(True).right_lock, impl_hosts)
    assert " ".join(row("right_lock", "impl", every, found).split()) == "right_lock impl 12 4 4 34 0 1 same"


@pytest.mark.parametrize(("form", "tasks", "steps", "runs"), [
    *((forms.independent, *size, 1) for size in [(3, 3), (5, 10), (20, 20)]),
    *((forms.awaited, tasks, 3, runs) for tasks, runs in [(3, 4), (5, 16)]),  # main finds each done or not
])  # fmt: skip
def test_tasks_that_share_nothing(form: Callable[..., Main], tasks: int, steps: int, runs: int) -> None:
    found = exhaust(form(tasks, steps), impl_hosts)
    assert (found.runs, found.classes, found.exhausted) == (runs, runs, True)


@pytest.mark.parametrize(("tasks", "schedules", "runs"), [(2, 12, 4), (3, 486, 57)])
def test_a_lock(tasks: int, schedules: int, runs: int) -> None:
    every = naive(forms.locked(tasks))
    found = exhaust(forms.locked(tasks), impl_hosts)
    assert (every.runs, found.runs) == (schedules, runs)
    assert set(found.outcomes) == set(every.outcomes) == {("returned", str(tasks))}


@pytest.mark.parametrize(("site", "runs"), [(forms.THREE_PAGES, 38), (forms.FIVE_PAGES, 150)])
def test_a_crawl(site: dict[str, list[str]], runs: int) -> None:
    found = exhaust(forms.crawl(2, site), impl_hosts)
    assert found.exhausted
    assert found.runs <= runs
    assert set(found.outcomes) == {("returned", str([1] * len(site)))}


def test_a_crawl_that_marks_too_late_is_found_out() -> None:
    found = exhaust(forms.crawl(2, forms.THREE_PAGES, late_mark=True), impl_hosts)
    assert found.exhausted
    assert len(found.outcomes) > 1


def test_the_verdict_names_runs_and_assumptions() -> None:
    found = exhaust(classics(True).right_lock, impl_hosts)
    assert found.verdict() == (
        "exhausted (4 runs, 4 classes; any ready task may run next, callbacks keep their order, and a timer fires "
        "when nothing else can run; model_tests/examples/races.py was rewritten in memory)"
    ).replace("model_tests/examples/races.py", str(Path(races_file.__file__).relative_to(Path.cwd())))
    bound = exhaust(classics(True).seen_set, impl_hosts, runs=7)
    assert bound.verdict() == "not exhausted (7 runs; the search ended after 7 runs)"
    assert exhaust(classics(True).right_lock, impl_hosts, runs=4).exhausted


def test_a_program_that_spins_is_not_exhausted() -> None:
    async def spin() -> None:
        done = False

        async def end() -> None:
            nonlocal done
            done = True

        task = impl.create_task(end())
        while not done:
            await impl.sleep(0)
        await task

    found = exhaust(spin, impl_hosts, steps_max=30)
    assert not found.exhausted
    assert "a run took 30 steps and did not end" in found.verdict()


def test_what_is_not_understood_is_counted_with_its_line(tmp_path: Path) -> None:
    text = "import heapq, impl\nasync def main():\n    xs = []\n    async def push(n):\n        heapq.heappush(xs, n)\n"
    text += "    await impl.gather(push(1), push(2))\n"
    path = tmp_path / "heaps.py"
    module = execute(text, str(path), "heaps")
    found = exhaust(module.main, impl_hosts)
    assert (found.runs, found.unknown) == (4, 8)
    assert found.cause == f"{path}:5"
    assert f"8 of {found.steps} steps (" in found.verdict()
    assert "were not understood and conflict with all, most at" in found.verdict()
    assert exhaust(partial(impl.sleep, 0), impl_hosts).cause == ""  # no line of the search's caller


@pytest.mark.parametrize("name", ["lost_update", "dead_consumer", "item_lost", "seen_set"])
def test_a_failure_becomes_choices_that_repeat_it(name: str) -> None:
    found = exhaust(getattr(classics(True), name), impl_hosts)
    main = getattr(classics(False), name)
    failed = [first for first in found.outcomes.values() if first.end.error is not None]
    assert failed
    for first in failed:
        choices = impl.Choices.listed({"schedule": choices_of(found, impl_hosts, first)})
        loop = impl.Loop(choices, "any")
        loop.set_exception_handler(lambda loop, what: None)
        with pytest.raises(type(first.end.error)) as raised:  # type: ignore[type-var]  # it is no None
            loop.run(main())
        assert str(raised.value) == str(first.end.error)
