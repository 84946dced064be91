"""Each named difference exists on its versions, is distinguished from the others, and does not exist elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from ...programs.differences import DIFFERENCES, Difference, explain, left_out
from ...programs.releases import THIS, includes, parsed, text
from ...programs.runtimes import Program, observe
from ...programs.vectors.catalogue import CATALOGUE
from ...programs.vectors.known import TRIED

# `Any` in this file: programs are JSON.
WAITS = [["with", "c", None, [["await", ["c.wait"]]]]]
NOTIFY = ["with", "c", None, [["do", ["c.notify"]]]]


def task(name: str) -> list[Any]:
    return ["let", name, ["create_task", ["body", f"body_{name}"]]]


def program(main: list[Any], **bodies: list[Any]) -> Program:
    return {"main": main, "bodies": bodies, "callbacks": {}}


#: For each difference a program that shows it.
SHOWN: dict[str, Program] = {
    "spurious wake-up": program(
        [["let", "c", ["Condition"]], task("a"), task("b"), ["turn"], ["do", ["a.cancel"]]],
        body_a=WAITS,
        body_b=WAITS,
    ),
    "lost notification": program(
        [["let", "c", ["Condition"]], task("a"), task("b"), ["turn"], NOTIFY, ["do", ["a.cancel"]]],
        body_a=WAITS,
        body_b=WAITS,
    ),
    "place in a barrier": program(
        [
            ["let", "r", ["Barrier", 3]],
            task("a"), task("b"), ["turn"], ["do", ["a.cancel"]], ["turn", 3], task("d"), ["turn", 3],
            ["await", ["r.wait"]],
        ],
        body_a=[["await", ["r.wait"]]],
        body_b=[["await", ["r.wait"]]],
        body_d=[["await", ["r.wait"]]],
    ),
    "uncancel does not withdraw": program(
        [["do", ["main.cancel"]], ["do", ["main.uncancel"]], ["await", ["sleep", 0]]]
    ),
    "message of a cancel": program(
        [
            ["let", "f", ["loop.create_future"]],
            task("a"), task("b"), ["turn", 2], ["do", ["a.cancel", "why"]], ["await", "a"],
        ],
        body_a=[["await", "f"]],
        body_b=[["await", "a"]],
    ),
    "shield reports what is taken": program(
        [
            ["let", "f", ["loop.create_future"]], ["let", "s", ["shield", "f"]],
            task("a"), ["turn"], ["do", ["s.cancel"]], ["turn"],
            ["do", ["f.set_exception", ["KeyError", 1]]], ["turn", 3],
        ],
        body_a=[["try", [["await", "f"]], [["KeyError", []]]]],
    ),
    "gather counts later": program(
        [
            ["let", "f", ["loop.create_future"]],
            ["do", ["f.set_result", 1]],
            task("a"),
            ["await", ["gather", "f"]],
        ],
        body_a=[["turn"], ["do", ["a.cancelling"]]],
    ),
    "wait_for before 3.12": program(
        [["let", "f", ["loop.create_future"]], task("a"), ["turn"], ["do", ["f.set_result", 1]], ["do", ["a.cancel"]]],
        body_a=[["await", ["wait_for", "f", 5]], ["turn"]],
    ),
    "TaskGroup before 3.13": program(
        [task("a"), ["turn", 2], ["do", ["a.cancel"]], ["turn", 3]],
        body_a=[
            ["try", [["with", ["TaskGroup"], "g", [["let", "b", ["g.create_task", ["body", "body_b"]]], ["turn", 9]]]],
             [["ExceptionGroup", []]]],
            ["turn", 2],
        ],
        body_b=[["turn"], ["raise", "KeyError", 1]],
    ),
    "TaskGroup loses the body's error": program(
        [task("a"), ["turn", 2], ["do", ["a.cancel"]], ["turn", 3]],
        body_a=[
            ["with", ["TaskGroup"], "g", [
                ["let", "b", ["g.create_task", ["body", "body_b"]]],
                ["turn"], ["do", ["g.cancel"]], ["raise", "KeyError", 1]]],
        ],
        body_b=[["try", [["turn", 9]], [["CancelledError", [["turn", 2]]]]]],
    ),
    "TaskGroup.cancel before 3.15": program([["with", ["TaskGroup"], "g", [["do", ["g.cancel"]], ["turn"]]]]),
    "Queue.shutdown before 3.13": program([["let", "q", ["Queue"]], ["do", ["q.shutdown"]], ["await", ["q.get"]]]),
}  # fmt: skip


def test_every_difference_is_shown() -> None:
    assert set(SHOWN) == {difference.name for difference in DIFFERENCES}


@pytest.mark.parametrize("difference", DIFFERENCES, ids=lambda difference: difference.name)
@pytest.mark.parametrize("runtime", ["asyncio", "asyncio-py"])
def test_a_difference_is_there_on_its_versions_and_on_no_other(difference: Difference, runtime: str) -> None:
    program = SHOWN[difference.name]
    ours, theirs = observe(program, "impl"), observe(program, runtime)
    if not difference.meets(THIS):
        assert left_out(program) is not difference
        assert difference.name not in (explain(program, ours, theirs) or [])
        return
    if ours == theirs and THIS not in TRIED:
        pytest.skip("this release may have a fix: the lists name those of the releases that were tried")
    assert ours != theirs
    if difference.leaves_out:
        assert left_out(program) is difference
    else:
        assert left_out(program) is None
        assert explain(program, ours, theirs) == [difference.name]


@pytest.mark.parametrize("vector", CATALOGUE[::10], ids=lambda vector: vector.name)
def test_one_line_that_is_wrong_is_not_explained(vector: Any) -> None:
    ours = observe(vector.program, "impl")
    for place in range(len(ours)):
        wrong = [*ours[:place], [*ours[place][:3], ours[place][3] + " wrong"], *ours[place + 1 :]]
        assert explain(vector.program, ours, wrong) is None
    assert explain(vector.program, ours, ours[:-1]) is None
    assert explain(vector.program, ours, ours) == []


#: A bug of 3.13 to 3.15, mended in patch releases of two of them.
SPAN = (3, 13), (3, 16), ((3, 14, 10), (3, 15, 2))


@pytest.mark.parametrize(
    ("release", "has"),
    [
        ("3.12.13", False),
        ("3.13", True),
        ("3.13.18", True),
        ("3.14", True),
        ("3.14.9", True),
        ("3.14.10", False),
        ("3.14.11", False),
        ("3.15.0rc1", True),
        ("3.15.2", False),
        ("3.16.0a1", False),
        ("3.20", False),
    ],
)
def test_a_fix_is_in_the_later_releases_of_its_version(release: str, has: bool) -> None:
    assert includes(*SPAN, parsed(release)) is has


def test_a_release_that_first_has_a_bug_may_be_a_patch() -> None:
    assert [includes((3, 13, 4), (3, 14), (), (3, 13, patch)) for patch in (3, 4, 5)] == [False, True, True]


def test_the_releases_in_words() -> None:
    assert text(*SPAN) == "3.13 to before 3.16, fixed in 3.14.10 and 3.15.2"
    assert text((3, 8), (3, 12), ()) == "3.8 to before 3.12"
