"""A timeout that expires in its turn, and no search has made early, has its line in the report."""

from __future__ import annotations

import pytest

from impl.explore.programs.program import RuntimeName
from impl.explore.report.scenes import scenes_of
from impl.explore.report.text import text_of

from ..programs import NAMES, RUNTIMES, failure_of


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_timeout_that_is_due_is_in_the_table_with_its_line(runtime: RuntimeName) -> None:
    names = NAMES[runtime]

    async def main() -> None:
        slots = names.Semaphore(1)

        async def job(seconds: float) -> None:
            await names.wait_for(names.shield(slots.acquire()), 0.1)
            await names.sleep(seconds)
            slots.release()

        await names.gather(job(0.2), job(0.01), return_exceptions=True)
        await names.sleep(1)
        assert not slots.locked(), "a permit is lost"

    simple = failure_of(main, runtime=runtime).simple
    line = main.__code__.co_firstlineno + 4
    assert [row.freed for row in simple.rows if row.freed] == [f"the timeout of line {line} expired"]
    assert simple.needs == []  # it expires in each run
    assert f"  the timeout of line {line} expired" in text_of(simple)
    assert any(f"the timeout of line {line} expired" in row.text for row in scenes_of(simple)[0].rows)
