"""The classic races: each passes first in, first out, fails under some other schedule, and runs on three loops."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

import impl
from impl.bridges.asyncio.run import simulate
from impl.runners.simulate import simulate as simulate_impl

from ...examples import races
from ...programs.substituted import substituted

Program = Callable[[], Coroutine[Any, Any, None]]

ON_IMPL = substituted(races, impl)


def shown(error: BaseException | None) -> tuple[type[BaseException] | None, str]:
    return (None, "") if error is None else (type(error), str(error).split("\n")[0])


@pytest.mark.parametrize("program", races.RACES + races.RIGHT, ids=lambda program: program.__name__)
def test_each_passes_first_in_first_out(program: Program) -> None:
    asyncio.run(program())
    simulate(program).outcome()
    simulate_impl(getattr(ON_IMPL, program.__name__)).outcome()


def test_two_sleeps_fail_when_a_timer_is_late() -> None:
    program = ON_IMPL.two_sleeps
    assert {shown(simulate_impl(program, seed=seed, order="any").error) for seed in range(10)} == {(None, "")}
    late = {shown(simulate_impl(program, seed=seed, late_ms_max=50).error) for seed in range(10)}
    assert late == {(None, ""), shown(AssertionError("the server is not ready"))}


def test_the_docstring_names_a_seed_that_fails() -> None:
    (seed,) = map(int, re.findall(r"--order any --seed (\d+) +fails", races.__doc__ or ""))
    error = simulate(races.lost_update, seed=seed, order="any").error
    assert shown(error) == shown(AssertionError("the balance is 10"))


def test_a_module_without_asyncio_cannot_have_it_replaced(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no file that imports asyncio"):
        substituted(re, impl)
