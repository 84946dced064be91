"""Properties of random programs: equal on every Python, of all kinds, idle in time, no two timers at one instant."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

import impl

from ...programs.generate import TIMERS_MAX, generate, seeded
from ...programs.runtimes import IDLE_TURNS, RUNTIMES, Line, Ours, Program, observe, timed
from ...programs.shrink import made, said, statements
from ..process import python

# `Any` in this file: programs are JSON.
MANY = 300

#: The digest of the first hundred programs of each kind: it changes with the generator, never with the Python.
DIGEST = "0535ab118d2009db"

PRINT_DIGEST = "from model_tests.tests.programs.test_generate import digest; print(digest())"


def digest() -> str:
    drawn = [seeded(seed, timers=timers) for timers in (False, True) for seed in range(100)]
    return hashlib.sha256(json.dumps(drawn).encode()).hexdigest()[:16]


def test_a_seed_is_the_same_program_everywhere() -> None:
    assert digest() == DIGEST


def test_the_hash_seed_changes_no_program() -> None:
    assert python("-c", PRINT_DIGEST, env={"PYTHONHASHSEED": "1"}, check=True).stdout.strip() == DIGEST


def test_a_program_is_its_choices() -> None:
    """Drawn again from the same choices, it is equal, and shorter lists are programs too."""
    choices = impl.Choices.seeded(3)
    first = generate(choices.program, timers=True)
    values = choices.drawn()["program"]
    assert generate(impl.Choices.listed({"program": values}).program, timers=True) == first
    for length in range(len(values)):
        observe(generate(impl.Choices.listed({"program": values[:length]}).program), "impl")


def test_the_smallest_program_is_almost_nothing() -> None:
    assert generate(impl.Choices.plain().program) == {
        "main": [["let", "f0", ["loop.create_future"]], ["let", "r0", ["loop.create_future"]]],
        "bodies": {},
        "callbacks": {},
    }


def test_json_holds_a_program_whole() -> None:
    for seed in range(50):
        program = seeded(seed, timers=True)
        assert json.loads(json.dumps(program)) == program


def test_every_name_that_is_said_was_made() -> None:
    for program, *_ in ran(timers=True):
        named = made(program) | set(program["bodies"]) | set(program["callbacks"])
        strange = [word for word in said(program) - named if re.fullmatch(r"[acdfghrt]\d+", word)]
        assert strange == []


# --- their elements ------------------------------------------------------------------------------------------

#: In how many of MANY programs each must occur, at least.
SAID_MIN = {
    word: least
    for least, words in {
        250: "create_task cancel",
        200: "turn try",
        100: "with wait",
        50: "cancelling uncancel set_result put_nowait get_nowait acquire release sleep timeout",
        30: "set_exception Queue put get wait_for",
        20: "task_done join Lock Condition notify Event set clear Barrier gather shield",
        10: "see raise add_done_callback call_soon call_later Semaphore BoundedSemaphore notify_all reset abort"
        " TaskGroup",
        5: "return for LifoQueue PriorityQueue shutdown as_completed",
        3: "remove_done_callback",
    }.items()
    for word in words.split()
}


def heads(part: Any) -> Iterator[str]:
    """Yield every head of a statement or of an expression, without the thing before a method."""
    if isinstance(part, list) and part:
        if isinstance(part[0], str):
            yield part[0].rpartition(".")[2]
        for inner in part:
            yield from heads(inner)


def test_every_kind_of_statement_is_frequent() -> None:
    count: Counter[str] = Counter()
    for program, *_ in ran(timers=True):
        parts = [program["main"], *program["bodies"].values(), *program["callbacks"].values()]
        count.update({head for part in parts for head in heads(part)})
    assert {head: count[head] for head, least in SAID_MIN.items() if count[head] < least} == {}


#: In how many of MANY programs each must be seen, at least.
SEEN_MIN = {
    "pending at the end": 100,
    "cancelled at the end": 150,
    "raised CancelledError": 100,
    "raised TimeoutError": 20,
    "raised ExceptionGroup": 5,
    "raised InvalidStateError": 30,
    "raised QueueFull": 10,
    "raised QueueEmpty": 10,
    "raised QueueShutDown": 5,
    "raised BrokenBarrierError": 5,
    "handler": 5,
    "time passed": 100,
}


class Watched(impl.Loop):
    """A loop that counts its iterations, and records deadlines in the future when they are set."""

    __slots__ = ("deadlines", "turns")

    def __init__(self) -> None:
        super().__init__()
        self.turns = 0
        self.deadlines: list[int] = []

    def turn(self) -> None:
        self.turns += 1
        super().turn()

    def at(self, when: int, target: Any) -> None:
        if when > self.now:
            self.deadlines.append(when)
        super().at(when, target)


class Ran(NamedTuple):
    """A program, its lines, and the record of its loop."""

    program: Program
    lines: list[Line]
    turns: int
    deadlines: list[int]


@cache
def ran(timers: bool) -> list[Ran]:
    """Run MANY programs, for all tests that look at such runs."""
    found = []
    for seed in range(MANY):
        loop, program = Watched(), seeded(seed, timers=timers)
        found.append(Ran(program, observe(program, Ours(loop=loop)), loop.turns, loop.deadlines))
    return found


def test_every_kind_of_outcome_is_frequent() -> None:
    count: Counter[str] = Counter()
    for one in ran(timers=True):
        seen = set()
        for when, actor, _, outcome in one.lines:
            seen.add(outcome.partition("(")[0])
            seen |= {f"{outcome} at the end"} if actor == "end" else {actor}
            seen |= {"time passed"} if when else set()
        count.update(seen)
    assert {what: count[what] for what, least in SEEN_MIN.items() if count[what] < least} == {}


# --- time ----------------------------------------------------------------------------------------------------


def test_programs_without_timers_take_no_time() -> None:
    for one in ran(timers=False):
        assert not timed(one.program)
        assert {line[0] for line in one.lines} == {0}


@pytest.mark.parametrize(("e", "sets"), [
    (["sleep", 0], False),
    (["sleep", 0.001], True),
    (["wait_for", "f", 0], False),
    (["wait_for", "f", None], False),
    (["wait_for", ["q.get"], 1], True),
    (["wait_for", ["sleep", 1], None], True),
    (["timeout", None], False),
    (["timeout", 1], True),
    (["wait", ["list", "f"], {"timeout": 1}], True),
    (["wait", ["list", "f"], {"timeout": None}], False),
    (["loop.call_later", 0, "c"], True),
    (["loop.call_soon", "c"], False),
])  # fmt: skip
def test_what_sets_a_timer(e: list[Any], sets: bool) -> None:
    assert timed({"main": [["await", e]], "bodies": {}}) is sets
    assert timed({"main": [], "bodies": {"b": [["try", [], [["Exception", [["do", e]]]]]]}}) is sets
    assert timed({"main": [], "bodies": {}, "callbacks": {"c": [e]}}) is sets


def test_no_two_timers_are_due_at_one_instant() -> None:
    for seed, one in enumerate(ran(timers=True)):
        assert len(set(one.deadlines)) == len(one.deadlines), seed
    assert 4 <= max(len(one.deadlines) for one in ran(timers=True)) <= TIMERS_MAX


def test_programs_are_at_rest_long_before_uvloop_is_said_to_be() -> None:
    assert 15 < max(one.turns for one in ran(timers=False)) < IDLE_TURNS // 4


# --- runtimes ------------------------------------------------------------------------------------------------

HANGS = {"main": [["let", "f", ["loop.create_future"]], ["await", "f"]], "bodies": {}, "callbacks": {}}


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_hang_is_an_observation(runtime: str) -> None:
    assert observe(HANGS, runtime) == [[0, "end", "main", "pending"], [0, "end", "f", "pending"]]


@pytest.mark.parametrize("runtime", ["impl", "asyncio", "asyncio-py", "bridge"])
def test_turns_without_end_are_a_livelock(runtime: str) -> None:
    again = ["loop.call_soon", "c"]
    spins = {"main": [["do", again]], "bodies": {}, "callbacks": {"c": [again]}}
    assert [0, "end", "livelock", ""] in observe(spins, runtime)


def test_the_futures_of_each_runtime_are_what_it_says() -> None:
    modules = {}
    for name, new in RUNTIMES.items():
        runtime = new()
        modules[name] = type(runtime.loop.create_future()).__module__
        runtime.loop.close()
    assert (modules["impl"], modules["bridge"]) == ("impl.tasks.future", "impl.bridges.on_asyncio.futures")
    assert (modules["asyncio"], modules["asyncio-py"]) == ("_asyncio", "asyncio.futures")


def test_statements_are_counted_at_all_depths() -> None:
    block = [["try", [["turn"], ["turn"]], [["KeyError", [["turn"]]]], [["turn"]]]]
    assert len(list(statements({"main": block, "bodies": {"b": [["with", ["Lock"], None, block]]}}))) == 11
