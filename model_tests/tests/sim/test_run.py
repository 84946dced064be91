"""Runs of impl programs, and tokens of any run: of a seed or of recorded choices, checked when they are replayed."""

import contextlib
import inspect
import random
import re
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import impl
from impl import Choices, sleep
from impl.runners.simulate import KIND, Scheduling, simulate
from impl.sim import garbage
from impl.sim.choices import LANES
from impl.sim.inject import NOTHING, Injection
from impl.sim.order import Order
from impl.sim.recipe import DIGEST_BYTES, RECORDED, SEEDED, Recipe
from impl.sim.token import Packer, TokenError
from impl.sim.trace import TaskCreated, TaskResumed

#: Any: the yields of an impl program.
Lists = dict[str, list[int]]
ANY: Order = "any"


async def race() -> str:
    """Read a value, write it back a step later: only under `any` another task comes between."""
    value = 0

    async def add(steps: int) -> None:
        nonlocal value
        for _ in range(steps):
            await sleep(0)
        seen = value
        await sleep(0)
        value = seen + 1

    await impl.gather(add(0), add(4))
    return "lost" if value == 1 else "kept"


async def longer() -> None:
    await race()
    await impl.gather(*(sleep(0) for _ in range(5)))


def first_lost() -> Any:  # Any: Run[str]
    return next(run for run in (simulate(race, seed=n, order=ANY) for n in range(100)) if run.result == "lost")


def shrunk(lists: Lists) -> Lists:
    """Every choice that need not differ from 0 is 0."""
    for name in LANES:
        for at in range(len(lists[name])):
            tried = {**lists, name: [*lists[name][:at], 0, *lists[name][at + 1 :]]}
            if simulate(race, order=ANY, choices=Choices.listed(tried)).result == "lost":
                lists = tried
    return lists


def test_the_order_any_finds_a_race_and_its_token_repeats_it() -> None:
    assert {simulate(race, seed=seed).outcome() for seed in range(50)} == {"kept"}
    lost = first_lost()
    assert lost.token.startswith(KIND + SEEDED)
    assert simulate(race, token=lost.token) == lost


def test_recorded_choices_repeat_the_run_of_a_seed() -> None:
    lost = first_lost()
    again = simulate(race, token=lost.recorded_token())
    assert (again.result, again.digest, again.events) == (lost.result, lost.digest, lost.events)
    assert again.token == again.recorded_token() == lost.recorded_token()
    assert again.token.startswith(KIND + RECORDED)


def test_a_shrunk_run_has_a_short_token_that_repeats_it() -> None:
    lost = first_lost()
    small = simulate(race, order=ANY, choices=Choices.listed(shrunk(lost.choices.drawn())))
    assert small.result == "lost"
    assert sum(map(bool, small.choices.drawn()["schedule"])) < sum(map(bool, lost.choices.drawn()["schedule"]))
    assert len(small.token) < len(lost.recorded_token())
    assert len(small.token) < 56
    assert simulate(race, token=small.token) == small


def test_choices_from_any_source_make_a_token() -> None:
    """Out of range is clamped, and the record has the value that was drawn; a seed's own choices need no record."""
    wild = simulate(race, order=ANY, choices=Choices(lambda name: lambda n: 10**6))
    assert simulate(race, token=wild.token) == wild
    assert simulate(race, seed=5, choices=Choices.seeded(5)).token == simulate(race, seed=5).token
    # The seed 4 is that of the module random.
    other = simulate(race, seed=4, order=ANY, choices=Choices.seeded(5))
    assert other.token.startswith(KIND + RECORDED)
    assert simulate(race, token=other.token) == other


@pytest.mark.parametrize("recorded", [False, True])
def test_a_token_of_a_program_that_has_changed_is_reported(recorded: bool) -> None:
    lost = first_lost()
    token = lost.recorded_token() if recorded else lost.token
    with pytest.raises(TokenError, match="program has changed") as caught:
        simulate(longer, token=token)
    now = re.findall("'(lsi.*)'", str(caught.value))
    assert simulate(longer, token=now[0]).token == now[0]


@pytest.mark.parametrize("recorded", [False, True])
def test_a_replay_with_the_same_choice_points_and_other_events_is_reported(recorded: bool) -> None:
    """The program depends on more than its choices: here on a list, elsewhere on the order of a set."""
    seconds = [1.0]

    async def main() -> None:
        await sleep(seconds[0])
        raise KeyError(seconds[0])

    run = simulate(main)
    token = run.recorded_token() if recorded else run.token
    assert isinstance(simulate(main, token=token).error, KeyError)
    seconds[0] = 2.0
    with pytest.raises(TokenError, match="same choice points, but its events differ") as caught:
        simulate(main, token=token)
    assert str(caught.value.__cause__) == "2.0"
    assert "PYTHONHASHSEED" in str(caught.value)


@pytest.mark.parametrize(("value", "said"), [("", "set PYTHONHASHSEED"), ("7", "PYTHONHASHSEED is 7 in")])
def test_the_seed_of_hashes_is_named_where_a_replay_differs(
    value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", value)
    with pytest.raises(TokenError, match=said):
        simulate(longer, token=first_lost().token)


def test_a_replay_that_raises_elsewhere_shows_the_error_too() -> None:
    async def raises() -> None:
        await longer()
        raise KeyError("new")

    with pytest.raises(TokenError) as caught:
        simulate(raises, token=first_lost().token)
    assert isinstance(caught.value.__cause__, KeyError)


# --- malformed tokens ----------------------------------------------------------------------------------------

WIDTHS, EVENTS = b"widths", b"events"


def packed(*numbers: int, lanes: tuple[tuple[int, ...], ...] = ((), (), (), ()), more: bytes = b"") -> str:
    packer = Packer()
    for number in (*numbers, *(number for lane in lanes for number in (len(lane) // 2, *lane))):
        packer.number(number)
    return packer.raw(WIDTHS).raw(EVENTS).raw(more).token(KIND + RECORDED)


GOOD = packed(7, 1, lanes=((3, 4, 0, 0), (), (), (200, 1)))


def test_what_a_recorded_token_contains() -> None:
    recipe = Recipe.of(KIND, Scheduling(), 0, GOOD)
    assert (recipe.seed, recipe.parameters) == (7, Scheduling("any", NOTHING))
    choices = recipe.choices()
    assert [choices.schedule(9) for _ in range(6)] == [0, 0, 0, 5, 1, 0]
    assert [choices.program(9) for _ in range(202)] == [0] * 200 + [2, 0]
    assert (recipe.widths, recipe.events) == (WIDTHS, EVENTS)
    assert len(WIDTHS) == len(EVENTS) == DIGEST_BYTES


@pytest.mark.parametrize(("token", "what"), [
    ("", "a token begins with 'lsi2-' or 'lsic2-'"),
    ("nonsense", "a token begins with 'lsi2-' or 'lsic2-'"),
    ("lsac2-" + GOOD.removeprefix("lsic2-"), "a token begins with"),
    (KIND + RECORDED, "damaged"),
    ("lsi1-AQBy8Zo55839ApbWzdX2QqLp", "a token begins with 'lsi2-'"),
    (GOOD[:-1], "damaged"),
    (GOOD + "A", "damaged"),
    (GOOD + "=", "damaged"),
    (GOOD.replace("lsic2-", "lsi2-"), "longer"),
    (packed(7, 1, lanes=((), (), ())), "too short"),
    (packed(7, 1, more=b"x"), "longer"),
    (packed(2**64, 1), "too great"),
    (packed(7, 8), "too great"),
    (packed(7, 3, 0, 4), "too great"),
    (packed(7, 3, 0, 0, 1, 1, 0xFF), "no text"),
    (packed(7, 3, 0, 0, 0), "no run has"),
    (packed(7, 3, 0, 0, 101), "too great"),
    (packed(7, 1, lanes=((2**33, 0), (), (), ())), "too great"),
    (packed(7, 1, lanes=((0, 2**63 - 1), (), (), ())), "too great"),
    (
        Packer().raw(b"\x07\x01\xff\xff\xff\xff\x0f").raw(WIDTHS + EVENTS).token(KIND + RECORDED),
        "too short",
    ),
    (
        Packer().raw(b"\x07\x01\x80\x00\x00\x00\x00").raw(WIDTHS + EVENTS).token(KIND + RECORDED),
        "no run has",
    ),
])  # fmt: skip
def test_a_malformed_token_has_one_clear_error(token: str, what: str) -> None:
    async def never() -> None:
        raise AssertionError("the program ran")

    with pytest.raises(TokenError, match=what):
        simulate(never, token=token)
    main = never()
    with pytest.raises(TokenError, match=what):
        simulate(main, token=token)
    assert inspect.getcoroutinestate(main) == inspect.CORO_CLOSED


def test_a_token_has_choices_of_its_own() -> None:
    with pytest.raises(ValueError, match="leave out `choices`"):
        simulate(race, token=GOOD, choices=Choices.plain())


def test_a_choice_that_is_too_great_for_a_token_is_named() -> None:
    async def draws() -> None:
        choices = impl.get_running_loop().choices
        choices.program(2**80)

    with pytest.raises(TokenError, match=f"the choice {2**80 - 1} after 0 zeros"):
        simulate(draws, choices=Choices(lambda name: lambda n: n - 1))


points = st.lists(st.tuples(st.sampled_from(LANES), st.integers(1, 2**62)), max_size=60)
values = st.dictionaries(st.sampled_from(LANES), st.lists(st.integers(-1, 2**62) | st.just(0), max_size=60))


injections = st.builds(
    Injection, st.lists(st.text(max_size=9), max_size=3).map(tuple), st.booleans(), st.integers(0, 9)
)


@given(points, values, st.integers(0, 2**64 - 1), st.sampled_from(["fifo", "any"]), injections)
def test_any_choices_come_back_from_their_token(
    drawn: list[tuple[str, int]], lists: Lists, seed: int, order: Order, inject: Injection
) -> None:
    choices = Choices.listed(lists)
    first = [choices.lane(name)(n) for name, n in drawn]
    recipe = Recipe(KIND, Scheduling(order, inject), seed)
    token = recipe.token(choices, EVENTS * 2)
    again = Recipe.of(KIND, Scheduling(), 0, token)
    assert (again.parameters, again.seed) == (recipe.parameters, seed)
    replayed = again.choices()
    assert [replayed.lane(name)(n) for name, n in drawn] == first
    assert again.token(replayed, EVENTS) == token
    assert replayed.digest().startswith(again.widths)
    assert again.events == EVENTS


# --- the fields of a run -------------------------------------------------------------------------------------


def test_a_run_says_how_the_program_ended_and_when() -> None:
    async def fails() -> None:
        try:
            await sleep(2)
            raise KeyError("x")
        finally:
            impl.create_task(sleep(50))

    run = simulate(fails)
    assert isinstance(run.error, KeyError)
    assert (run.result, run.elapsed_ns) == (None, 2_000_000_000)
    with pytest.raises(KeyError) as caught:
        run.noted()
    assert caught.value.__notes__ == [f"token: {run.token}"]

    async def stuck() -> None:
        await sleep(1)
        await impl.Event().wait()

    run = simulate(stuck)
    assert isinstance(run.error, impl.DeadlockError)
    assert run.elapsed_ns == 1_000_000_000


def test_lateness_is_a_parameter_of_the_run() -> None:
    late = [simulate(sleep(1), seed=seed, late_ms_max=50) for seed in range(20)]
    assert len({run.elapsed_ns for run in late}) > 5
    assert [simulate(sleep(1), token=run.token) for run in late] == late


def test_a_trace_is_kept_when_asked_for_and_changes_nothing() -> None:
    plain, traced = simulate(race, seed=3, order=ANY), simulate(race, seed=3, order=ANY, trace=True)
    assert (plain.digest, plain.events, plain.token) == (traced.digest, traced.events, traced.token)
    assert list(plain.trace) == []
    assert len(traced.trace) == traced.events
    assert traced.trace[:2] == [TaskCreated(0, (1,)), TaskResumed(0, (1,))]


def test_the_module_random_is_seeded_and_put_back() -> None:
    async def draw() -> float:
        return random.random()

    random.seed(1)
    before = random.getstate()
    first = [simulate(draw, seed=seed).outcome() for seed in range(3)]
    assert len(set(first)) == 3
    assert [simulate(draw, seed=seed).outcome() for seed in range(3)] == first
    assert simulate(draw, token=simulate(draw, seed=2).recorded_token()).outcome() == first[2]
    assert random.getstate() == before


def test_a_run_within_a_run_is_refused() -> None:
    async def main() -> None:
        inner = race()
        with pytest.raises(RuntimeError, match="running event loop"):
            simulate(inner)
        assert inspect.getcoroutinestate(inner) == inspect.CORO_CLOSED

    simulate(main).outcome()


def test_an_interrupt_is_raised_and_closes_the_loop() -> None:
    loops = []

    def interrupted(kind: type[BaseException]) -> Callable[[], Coroutine[Any, Any, None]]:
        async def main() -> None:
            loops.append(impl.get_running_loop())
            raise kind

        return main

    with pytest.raises(KeyboardInterrupt):
        simulate(interrupted(KeyboardInterrupt))
    assert isinstance(simulate(interrupted(SystemExit)).error, SystemExit)
    assert [loop.is_closed() for loop in loops] == [True, True]


class FakeGc:
    """Notes calls; `count` objects are frozen."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.calls: list[str] = []

    def get_freeze_count(self) -> int:
        self.calls.append("count")
        return self.count

    def freeze(self) -> None:
        self.calls.append("freeze")
        self.count = 9

    def unfreeze(self) -> None:
        self.calls.append("unfreeze")
        self.count = 0


@pytest.mark.parametrize(
    ("before", "calls"),
    [(0, ["count", "freeze", "unfreeze"] * 2), (5, ["count"])],
    ids=["nothing", "callers"],
)
def test_the_outermost_block_freezes_and_thaws_and_a_callers_objects_stay_frozen(
    before: int, calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = FakeGc(before)
    monkeypatch.setattr(garbage, "gc", fake)
    monkeypatch.setattr(garbage, "_freezer", "")
    for _ in range(2):
        with contextlib.suppress(KeyError), garbage.frozen(), garbage.frozen():
            assert fake.count > 0
            raise KeyError
        assert fake.count == before
    assert fake.calls == calls
