"""Module paths of the release before, which remain for one release."""

from __future__ import annotations

from impl.bridges import asyncio_names, asyncio_run, trio_run
from impl.bridges.asyncio import run
from impl.bridges.on_asyncio import names
from impl.bridges.trio import run as trio


def test_the_old_modules_have_the_new_names() -> None:
    assert {name: getattr(asyncio_names, name) for name in names.__all__} == {
        name: getattr(names, name) for name in names.__all__
    }
    assert (asyncio_run.run, asyncio_run.simulate) == (run.run, run.simulate)
    assert (trio_run.run_trio, trio_run.simulate_trio) == (trio.run_trio, trio.simulate_trio)
