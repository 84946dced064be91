"""Each named difference exists on its versions, is distinguished from the others, and does not exist elsewhere."""

from __future__ import annotations

import pytest

from ...programs.differences import DIFFERENCES, Difference, explain, left_out
from ...programs.releases import THIS, includes, parsed, text
from ...programs.runtimes import observe
from ...programs.vectors.catalogue import CATALOGUE
from ...programs.vectors.known_bugs import TRIED
from ...programs.vectors.notation import program
from ...programs.vectors.vector import Vector

#: Two tasks wait for a condition.
WAITING = """
async def a():
    async with c: await c.wait()
async def b():
    async with c: await c.wait()
c = Condition(); A = create_task(a()); B = create_task(b()); turn()
"""
#: For each difference a program that shows it.
SHOWN = {
    "spurious wake-up": f"{WAITING}A.cancel()",
    "lost notification": f"{WAITING}async with c: c.notify()\nA.cancel()",
    "place in a barrier": """
async def a(): await r.wait()
async def b(): await r.wait()
async def d(): await r.wait()
r = Barrier(3); A = create_task(a()); B = create_task(b()); turn(); A.cancel()
turn(3); D = create_task(d()); turn(3); await r.wait()
""",
    "uncancel does not withdraw": "main.cancel(); main.uncancel(); await sleep(0)",
    "message of a cancel": """
async def a(): await f
async def b(): await A
f = future(); A = create_task(a()); B = create_task(b()); turn(2); A.cancel("why"); await A
""",
    "shield reports what is taken": """
async def a():
    with suppress(KeyError): await f
f = future(); s = shield(f); A = create_task(a()); turn(); s.cancel(); turn(); f.set_exception(KeyError(1)); turn(3)
""",
    "gather counts later": """
async def a(): turn(); A.cancelling()
f = future(); f.set_result(1); A = create_task(a()); await gather(f)
""",
    "wait_for before 3.12": """
async def a(): await wait_for(f, 5); turn()
f = future(); A = create_task(a()); turn(); f.set_result(1); A.cancel()
""",
    "TaskGroup before 3.13": """
async def a():
    with suppress(ExceptionGroup):
        async with TaskGroup() as g: B = g.create_task(b()); turn(9)
    turn(2)
async def b(): turn(); raise KeyError(1)
A = create_task(a()); turn(2); A.cancel(); turn(3)
""",
    "TaskGroup loses the body's error": """
async def a():
    async with TaskGroup() as g: B = g.create_task(b()); turn(); g.cancel(); raise KeyError(1)
async def b():
    try: turn(9)
    except CancelledError: turn(2)
A = create_task(a()); turn(2); A.cancel(); turn(3)
""",
    "TaskGroup.cancel before 3.15": "async with TaskGroup() as g: g.cancel(); turn()",
    "Queue.shutdown before 3.13": "q = Queue(); q.shutdown(); await q.get()",
}


def test_every_difference_is_shown() -> None:
    assert set(SHOWN) == {difference.name for difference in DIFFERENCES}


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.name)
@pytest.mark.parametrize("runtime", ["asyncio", "asyncio-py"])
def test_a_difference_is_there_on_its_versions_and_on_no_other(difference: Difference, runtime: str) -> None:
    shows = program(SHOWN[difference.name])
    ours, theirs = observe(shows, "impl"), observe(shows, runtime)
    if not difference.meets(THIS):
        assert left_out(shows) is not difference
        assert difference.name not in (explain(shows, ours, theirs) or [])
        return
    if ours == theirs and THIS not in TRIED:
        pytest.skip("this release may have a fix: the lists name those of the releases that were tried")
    assert ours != theirs
    if difference.leaves_out:
        assert left_out(shows) is difference
    else:
        assert left_out(shows) is None
        assert explain(shows, ours, theirs) == [difference.name]


@pytest.mark.parametrize("vector", CATALOGUE[::10], ids=lambda vector: vector.name)
def test_one_line_that_is_wrong_is_not_explained(vector: Vector) -> None:
    ours = observe(vector.program, "impl")
    for place in range(len(ours)):
        wrong = [*ours[:place], [*ours[place][:3], ours[place][3] + " wrong"], *ours[place + 1 :]]
        assert explain(vector.program, ours, wrong) is None
    assert explain(vector.program, ours, ours[:-1]) is None
    assert explain(vector.program, ours, ours) == []


# Which releases a bug is in, by the versions and the patch releases of its fix.

#: A bug of 3.13 to 3.15, mended in patch releases of two of them.
SPAN = (3, 13), (3, 16), ((3, 14, 10), (3, 15, 2))


@pytest.mark.parametrize(("release", "has"), [
    ("3.12.13", False), ("3.13", True), ("3.13.18", True),
    ("3.14", True), ("3.14.9", True), ("3.14.10", False), ("3.14.11", False),
    ("3.15.0rc1", True), ("3.15.2", False), ("3.16.0a1", False), ("3.20", False),
])  # fmt: skip
def test_a_fix_is_in_the_later_releases_of_its_version(release: str, has: bool) -> None:
    assert includes(*SPAN, parsed(release)) is has


def test_a_release_that_first_has_a_bug_may_be_a_patch() -> None:
    assert [includes((3, 13, 4), (3, 14), (), (3, 13, patch)) for patch in (3, 4, 5)] == [False, True, True]


def test_the_releases_in_words() -> None:
    assert text(*SPAN) == "3.13 to before 3.16, fixed in 3.14.10 and 3.15.2"
    assert text((3, 8), (3, 12), ()) == "3.8 to before 3.12"
