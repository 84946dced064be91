"""The specification as a runtime: its prediction for a program equals the output of the reference and of asyncio.

The specification is consulted for every step (programs/oracle.py), so each line agrees, in order.  Specifications with
a known error (spec/task/mutants.py) show that the comparison is able to fail.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache, wraps
from itertools import islice
from typing import Any

import pytest

import impl
from spec.kit.core import Named, Spec
from spec.task import Const, Loop
from spec.task import task as task_text
from spec.task.loop import loop as loop_text
from spec.task.mutants import MUTANTS

from ...dev.pythons import ROOT
from ...programs import generate, oracle_programs
from ...programs.coverage import Beyond, covers
from ...programs.differences import explain
from ...programs.oracle import ModelRun, Models, Undetermined, observe, of_text
from ...programs.resources import AFuture
from ...programs.runtimes import Line, Program
from ...programs.runtimes import observe as observe_on
from ...programs.script import script
from ...programs.shrink import shrink
from ..fixtures import Patch

# `Any` in this file: programs are JSON.
#: Programs that are compared; and seeds of generate.py that give some programs that are covered.
PROGRAMS, PROGRAMS_FULL = 150, 5_000
SEEDS, SEEDS_FULL = 250, 25_000


def agrees(program: Program) -> bool:
    """Return whether the specification covers it and predicts the reference's output."""
    return not covers(program) and observe(program) == observe_on(program, "impl")


def report(program: Program) -> str:
    """Return a disagreeing program, shrunk, as a script; expected is the specification's prediction."""
    small = shrink(program, lambda candidate: not covers(candidate) and not agrees(candidate))
    return script(small, observe(small), observe_on(small, "impl"))


def compare(program: Program, taken: Counter[str] | None = None) -> list[str]:
    """Check that the specification, the reference and asyncio with C tasks agree; return the differences that explain
    asyncio's.
    """
    told = observe(program, taken=taken)
    assert told == observe_on(program, "impl"), report(program)
    met = explain(program, told, observe_on(program, "asyncio"))
    assert met is not None, script(program, told, observe_on(program, "asyncio"))
    return met


def test_the_text_tells_what_is_seen(full: bool) -> None:
    taken: Counter[str] = Counter()
    met: Counter[str] = Counter()
    wanted = PROGRAMS_FULL if full else PROGRAMS
    for seed in range(wanted):
        met.update(compare(oracle_programs.seeded(seed), taken))
    # Every action occurs, and often: no part of the specification is left out.
    assert set(taken) == set(loop_text.actions)
    assert min(taken.values()) > wanted / 10
    # The specification has no messages; uncancel() withdraws in it, but not in asyncio before 3.13.
    withdraws = sys.version_info >= (3, 13)
    assert set(met) == {"message of a cancel"} | (set() if withdraws else {"uncancel does not withdraw"})
    assert met["message of a cancel"] < wanted / 20
    assert met["uncancel does not withdraw"] < wanted / 4


def test_it_tells_what_is_seen_of_other_programs_of_futures(monkeypatch: Patch, full: bool) -> None:
    """The programs of generate.py with tasks that wait for futures only."""
    monkeypatch.setattr(generate, "RESOURCES", (AFuture,))
    seeds = SEEDS if full else SEEDS // 2
    why = Counter(compare_if_covered(generate.seeded(seed)) for seed in range(seeds))
    assert why[""] >= seeds * 2 // 5


def test_it_tells_what_is_seen_of_programs_of_all_kinds(full: bool) -> None:
    """The specification covers one in thirty of the programs of generate.py: most have a queue, a lock, an event."""
    seeds = SEEDS_FULL if full else SEEDS
    why = Counter(compare_if_covered(generate.seeded(seed)) for seed in range(seeds))
    assert why[""] >= seeds / 35
    made = sum(number for reason, number in why.items() if reason.startswith("a thing is made by "))
    assert made + why[""] > 0.95 * seeds


def compare_if_covered(program: Program) -> str:
    why = covers(program)
    if not why:
        compare(program)
    return why


# --- the programs --------------------------------------------------------------------------------------------


def test_a_program_is_its_choices_and_every_list_of_choices_is_one_that_is_covered() -> None:
    choices = impl.Choices.seeded(5)
    first = oracle_programs.generate(choices.program)
    values = choices.drawn()["program"]
    for length in range(len(values) + 1):
        drawn = oracle_programs.generate(impl.Choices.listed({"program": values[:length]}).program)
        assert covers(drawn) == ""
    assert drawn == first


def program(*main: Any, **bodies: list[Any]) -> Program:
    """Return a program with two futures and a task of each body, in order, then the statements of main."""
    made: list[Any] = [["let", name, ["loop.create_future"]] for name in ("f", "g")]
    made += [["let", name, ["loop.create_task", ["body", f"body_{name}"]]] for name in bodies]
    return {"main": [*made, *main], "bodies": {f"body_{name}": body for name, body in bodies.items()}}


BEYOND: list[tuple[Program, str]] = [
    (program(["let", "q", ["Queue", 1]]), "a thing is made by Queue"),
    (program(["let", "s", ["gather", "f", "g"]]), "a thing is made by gather"),
    (program(["let", "s", ["shield", ["body", "b"]]]), "a thing is made by shield"),
    (program(["let", "f", ["loop.create_future"]]), "the name f is given twice"),
    (program(["let", "x", 1]), "a name is given to what was not made"),
    (program(["turn"], ["let", "h", ["loop.create_future"]]), "the statement let"),
    (program(["with", ["timeout", None], None, []]), "the statement with"),
    (program(["yield", 5]), "the statement yield"),
    (program(["do", "f"]), "a value is shown"),
    (program(["do", ["loop.call_soon", "c"]]), "a call of loop.call_soon"),
    (program(["do", ["current_task"]]), "a call of current_task"),
    (program(["do", ["f.add_done_callback", "c"]]), "add_done_callback of a future"),
    (program(["do", ["f.uncancel"]]), "uncancel of a future"),
    (program(["do", ["main.set_result", 1]]), "set_result of a task"),
    (program(["do", ["f.set_result", "g"]]), "the arguments of set_result"),
    (program(["do", ["f.set_result"]]), "the arguments of set_result"),
    (program(["do", ["f.cancel", {"msg": "m"}]]), "the arguments of cancel"),
    (program(["do", ["f.set_exception", ["StopIteration", 1]]]), "the class StopIteration"),
    (program(["do", ["f.set_exception", ["CancelledError"]]]), "the class CancelledError"),
    (program(["do", ["f.set_exception", "g"]]), "an exception that is no class"),
    (program(["raise", "KeyboardInterrupt"]), "the class KeyboardInterrupt"),
    (program(["raise", "KeyError", "f"]), "an exception of what is no literal"),
    (program(["try", [], [["TimeoutError", []], ["Nothing", []]]]), "the class Nothing"),
    (program(["await", "unknown"]), "an await of what cannot be awaited"),
    (program(["await", ["wait_for", "f", None]]), "an await of wait_for"),
    (program(["await", ["sleep", 1]]), "time passes"),
    (program(["see", "loop"]), "a look at what the text does not have"),
    (program(["return", "f"]), "a task returns what is no literal"),
    (program(t=[["await", "t"]]), "tasks may await each other in a circle"),
    (program(["await", "t"], t=[["await", "u"]], u=[["await", "main"]]), "tasks may await each other in a circle"),
]  # fmt: skip


@pytest.mark.parametrize(("beyond", "why"), BEYOND, ids=[f"{n}, {why}" for n, (_, why) in enumerate(BEYOND)])
def test_what_is_beyond_the_text_is_not_played(beyond: Program, why: str) -> None:
    assert covers(beyond) == why
    with pytest.raises(Beyond, match=why):
        ModelRun(beyond)


def told(*lines: str) -> list[Line]:
    return [[0, *line.split(": ")] for line in lines]


def test_what_it_tells_of_a_request_between_wake_up_and_turn() -> None:
    """The expected lines are written by hand: no other runtime is used."""
    swallows = [["try", [["await", "f"]], [["CancelledError", []]]], ["return", 1]]
    asked = program(["turn"], ["do", ["f.set_result", 7]], ["do", ["t.cancel", "m"]], ["await", "t"], t=swallows)
    assert observe(asked) == told(
        "main: f.set_result(7): None",
        "main: t.cancel(m): True",
        "body_t: await f: raised CancelledError('m')",
        "main: await t: 1",
        "end: main: gave None",
        "end: f: gave 7",
        "end: g: pending",
        "end: t: gave 1",
    )


def test_a_task_that_awaits_a_shield_of_itself_waits_for_ever() -> None:
    """It is no circle of tasks: in the specification a shield ends a chain."""
    alone = program(["let", "s", ["shield", "t"]], ["turn"], ["do", ["t.cancelling"]], t=[["await", "s"]])
    assert covers(alone) == ""
    assert observe(alone)[1:] == told(
        "end: main: gave None", "end: f: pending", "end: g: pending", "end: t: pending", "end: s: pending"
    )
    assert compare(alone) == []


# --- the oracle uses no other source -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["oracle", "coverage"])
def test_it_stands_on_the_specification_and_on_the_player_alone(name: str) -> None:
    tree = ast.parse((ROOT / "model_tests" / "programs" / f"{name}.py").read_text())
    imported = {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    imported |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    ours = {module for module in imported if module.split(".")[0] not in sys.stdlib_module_names}
    assert ours <= {"spec.kit.core", "spec.kit.fifo", "spec.task", "spec.task.loop", "spec.task.models"} | {
        "vectors.player", "coverage",
    }  # fmt: skip
    assert not {"asyncio", "asyncio.events"} & imported


# --- the comparison is able to fail --------------------------------------------------------------------------

#: How many programs it takes to find each wrong specification, by the property that it breaks.
FOUND_WITHIN = {
    10: [
        "no_lost_wakeup", "handed_on", "cancelling_never_negative", "chain_edges", "chain_only", "done_stays_done",
        "no_call_runs_a_task", "requests_within_limit", "no_result_if_cancelled", "own_end", "one_by_one",
        "only_cancelled_tasks_forward", "owed_cancel_is_thrown", "every_request_arrives", "begins_with_first_line",
        "shield_protects_inner", "futures_only", "uncancel_counts_one_less", "frame",
    ],
    30: ["no_waiting_task_runs", "no_await_before_begin", "no_lost_request", "allowed"],
    130: ["chain_order", "ends_as_its_coroutine"],
}  # fmt: skip


#: Those that none of 300 programs meets.
UNMET = {"no_circle", "goes_on"}


def test_every_text_with_an_error_is_looked_for() -> None:
    assert {name for names in FOUND_WITHIN.values() for name in names} == set(MUTANTS) - UNMET


def under_its_name(wrong: Spec[Const, Loop]) -> Models:
    """Return models of a wrong specification; its wrong action has the name of the right one: the
    queue uses names.
    """
    (right,) = set(task_text.actions) - set(wrong.actions)
    (other,) = set(wrong.actions) - set(task_text.actions)
    spec = Spec(wrong.name, wrong.state, wrong, without=[other])
    add(spec, right, wrong.actions[other])
    return of_text(spec)


def add(spec: Spec[Const, Loop], name: str, item: Named) -> None:
    """Add an action to a specification under another name."""

    @wraps(item.fn)
    def action(k: Const, s: Loop, *args: Any) -> Iterator[Loop]:
        yield from item.fn(k, s, *args)

    action.__name__ = name
    spec.action(fair=item.fair, hidden=item.hidden, answer=item.answer)(action)


@cache
def expected(seed: int) -> list[Line]:
    return observe_on(oracle_programs.seeded(seed), "impl")


def differs(models: Models, seed: int) -> bool:
    """Return whether a specification predicts something else for that program, or nothing."""
    try:
        return observe(oracle_programs.seeded(seed), models) != expected(seed)
    except Undetermined:
        return True


@pytest.mark.parametrize(("within", "name"), [(n, name) for n, names in FOUND_WITHIN.items() for name in names])
def test_texts_with_an_error_are_found(within: int, name: str) -> None:
    models = under_its_name(MUTANTS[name])
    assert any(differs(models, seed) for seed in range(within))


def test_the_right_text_under_another_name_differs_nowhere() -> None:
    """So the comparison finds the error, and not the renaming."""
    spec = Spec("task: no error", Loop, task_text, without=["cancel"])
    add(spec, "another_cancel", task_text.actions["cancel"])
    models = under_its_name(spec)
    assert not any(differs(models, seed) for seed in range(10))


def test_a_program_cannot_catch_that_the_text_does_not_tell() -> None:
    """A result may or may not run its waiter: two states, and the oracle chooses neither."""
    models = under_its_name(MUTANTS["no_call_runs_a_task"])
    catching = ["try", [["do", ["f.set_result", 7]]], [["BaseException", []]]]
    with pytest.raises(Undetermined, match=r"resolve\(.*\): 2 states after it"):
        observe(program(["turn"], catching, t=[["await", "f"]]), models)


def test_what_fails_is_printed_small_and_as_a_script(monkeypatch: Patch) -> None:
    right, models = observe, under_its_name(MUTANTS["no_lost_request"])
    monkeypatch.setitem(globals(), "observe", lambda program, taken=None: right(program, models, taken))
    failing = next(islice((p for p in map(oracle_programs.seeded, range(30)) if not agrees(p)), 1))
    text = report(failing)
    compile(text, "the script", "exec")
    _, _, lines = text.partition("# expected:\n")
    assert lines.count("\n# ! ") >= 2
    assert lines.count("\n") < 25
