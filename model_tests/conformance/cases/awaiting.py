"""The scenarios of futures, tasks, and combinations of them, for the enumeration (`programs/enumeration.py`).

To hand over is to give what is awaited a result or an exception, or to cancel it.  A waiter lets a cancel through, or
catches it and goes on, or cleans up first.  f and g are futures, `inner` is a task.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ...programs.enumeration import Json, Rules, Scenario, Statement

#: An expression of a program.
Expression = Json

F: Final[Statement] = ["let", "f", ["loop.create_future"]]
G: Final[Statement] = ["let", "g", ["loop.create_future"]]
RESULT: Final[list[Statement]] = [["do", ["f.set_result", 1]]]
ERROR: Final[list[Statement]] = [["do", ["f.set_exception", ["KeyError", 1]]]]
CANCEL: Final[list[Statement]] = [["do", ["f.cancel"]]]
OTHER: Final[list[Statement]] = [["do", ["g.set_result", 2]]]
WAYS: Final = (("result", RESULT), ("error", ERROR), ("cancel", CANCEL))
COUNT: Final[list[Statement]] = [["do", ["a.cancelling"]]]


def awaited(e: Expression) -> Statement:
    return ["await", e]


def caught(*statements: Statement) -> Statement:
    """Catch a cancel and go on."""
    return ["try", list(statements), [["CancelledError", []]]]


def cleaned(*statements: Statement) -> Statement:
    """Clean up for one loop iteration, in any case."""
    return ["try", list(statements), [], [["turn"], ["do", ["list"]]]]


#: How a waiter handles a cancel.
STYLES: Final[dict[str, Callable[[Expression], list[Statement]]]] = {
    "": lambda e: [awaited(e), ["turn"], ["return", 7]],
    ", caught": lambda e: [caught(awaited(e)), ["turn"], ["return", 7]],
    ", tried again": lambda e: [caught(awaited(e)), awaited(e)],
    ", cleaned up": lambda e: [cleaned(awaited(e)), ["return", 7]],
}


def futures() -> Iterator[Scenario]:
    rules = Rules("FUT-6", "FUT-3", "FUT-5", "CANCEL-2")
    for style, body in STYLES.items():
        for way, hand in WAYS:
            yield Scenario(
                f"a future's {way}{style}",
                rules,
                [F],
                body("f"),
                [hand],
                after=COUNT,
                moves="nu",
                waiters=(2, 3) if not style else (2,),
            )
    for way, hand in WAYS:
        yield Scenario(
            f"callbacks, {way}",
            Rules("FUT-5", "FUT-3", "FUT-5", "FUT-2"),
            [F, ["do", ["f.add_done_callback", "first"]], ["do", ["f.add_done_callback", "second"]]],
            [awaited("f")],
            [hand, [["do", ["f.add_done_callback", "late"]], ["do", ["f.remove_done_callback", "second"]]]],
            after=[["do", ["f.add_done_callback", "last"]]],
            callbacks={"first": [], "second": [["list", ["f.done"]]], "late": [], "last": []},
        )


def tasks() -> Iterator[Scenario]:
    rules = Rules("TASK-5", "TASK-1", "TASK-2", "CANCEL-1")
    inner: Statement = ["let", "inner", ["create_task", ["body", "works"]]]
    bodies = {
        "": [awaited("f"), ["turn"], ["return", 5]],
        ", caught": [caught(awaited("f")), ["turn"], ["return", 5]],
        ", cleaned up": [cleaned(awaited("f")), ["return", 5]],
    }
    for style, works in bodies.items():
        for outer in ("", ", caught"):
            yield Scenario(
                f"a task of a task{style}; outside{outer}",
                rules,
                [F, inner],
                STYLES[outer]("inner"),
                [RESULT, [["do", ["inner.cancelling"]]]],
                after=[*COUNT, ["do", ["inner.cancelling"]]],
                bodies={"works": works},
                moves="u",
                waiters=(1, 2),
            )
    yield Scenario(
        "a task of a task that is cancelled",
        rules,
        [F, inner],
        [awaited("inner"), ["turn"]],
        [[["do", ["inner.cancel", "why"]]], RESULT],
        bodies={"works": bodies[", cleaned up"]},
        waiters=(1,),
    )
    own: list[Statement] = [["do", ["X.cancel", "why"]]]
    for name, works, rule in (
        ("and returns", [*own, ["return", 5]], "CANCEL-5"),
        ("and awaits", [*own, awaited("f"), ["return", 5]], "CANCEL-3"),
        ("and takes it back", [*own, ["do", ["X.uncancel"]], awaited("f"), ["return", 5]], "CANCEL-6"),
        ("twice", [*own, *own, ["do", ["X.uncancel"]], caught(awaited("f")), ["return", 5]], "CANCEL-9"),
        ("and gives its turn", [*own, caught(["turn"]), ["turn"], ["return", 5]], "TASK-4"),
        ("and raises", [*own, ["raise", "KeyError", 1]], "TASK-5"),
    ):
        yield Scenario(
            f"a task that cancels itself {name}",
            Rules(rule),
            [F],
            [["turn"], *works],
            [RESULT],
            after=COUNT,
            moves="u",
            waiters=(1, 2),
        )
    yield Scenario(
        "a task that takes turns",
        Rules("TASK-4", "TASK-1", "TASK-6", "CANCEL-2"),
        [F],
        [["do", ["list"]], ["turn"], ["do", ["list"]], ["turn"], ["do", ["list"]]],
        [[["do", ["loop.call_soon", "called"]]]],
        after=COUNT,
        moves="un",
        callbacks={"called": []},
    )


#: A task; its body, and one that catches a cancel.
TASK: Final[Statement] = ["let", "inner", ["create_task", ["body", "works"]]]
WORKS: Final[dict[str, list[Statement]]] = {"works": [cleaned(awaited("f")), ["return", 5]]}
SWALLOWS: Final[dict[str, list[Statement]]] = {"works": [caught(awaited("f")), ["turn"], ["return", 5]]}


def guarded() -> Iterator[Scenario]:
    """Yield the scenarios of shield, wait_for and timeout."""
    for style in ("", ", caught"):
        yield from shields(style)
        for limit, wait in (("for ever", None), ("a second", 1), ("no time", 0), ("less", -1)):
            yield from limited(style, limit, wait)
        yield from too_late(style)


def shields(style: str) -> Iterator[Scenario]:
    for way, hand in WAYS:
        yield Scenario(
            f"shield, {way}{style}",
            Rules("SHIELD-1", "SHIELD-1", "SHIELD-1", "SHIELD-2"),
            [F],
            STYLES[style](["shield", "f"]),
            [hand],
            after=[*COUNT, ["see", "f"]],
        )
    yield Scenario(
        f"shield of a task{style}",
        Rules("SHIELD-1", "SHIELD-1", "SHIELD-1", "SHIELD-2"),
        [F, TASK],
        STYLES[style](["shield", "inner"]),
        [[["do", ["inner.cancel"]]], RESULT],
        after=[*COUNT, ["see", "inner"]],
        bodies=WORKS,
        waiters=(1, 2),
    )


def limited(style: str, limit: str, wait: int | None) -> Iterator[Scenario]:
    """Yield the scenarios of wait_for and timeout with one limit, in seconds."""
    rules = Rules(
        "WAITFOR-6" if limit == "for ever" else "WAITFOR-5" if limit in ("no time", "less") else "WAITFOR-1",
        cancel="WAITFOR-4",
    )
    for way, hand in WAYS if limit == "a second" else WAYS[:1]:
        yield Scenario(
            f"wait_for, {limit}, {way}{style}",
            rules,
            [F],
            STYLES[style](["wait_for", "f", wait]),
            [hand],
            after=COUNT,
            moves="u",
            waiters=(1, 2),
        )
    for name, body in (("", WORKS), (" that goes on", SWALLOWS)):
        yield Scenario(
            f"wait_for, {limit}, a task{name}{style}",
            Rules("WAITFOR-2" if wait is None else rules.value, cancel="WAITFOR-4"),
            [F, TASK],
            STYLES[style](["wait_for", "inner", wait]),
            [RESULT],
            after=COUNT,
            bodies=body,
            waiters=(1,),
        )
        yield Scenario(
            f"wait_for, {limit}, a coroutine{name}{style}",
            Rules("WAITFOR-3", cancel="WAITFOR-4"),
            [F],
            STYLES[style](["wait_for", ["body", "works"], wait]),
            [RESULT],
            after=COUNT,
            bodies=body,
            waiters=(1,),
        )
    yield Scenario(
        f"timeout, {limit}{style}",
        Rules("TIMEOUT-1" if wait == 1 else "TIMEOUT-5", cancel="TIMEOUT-2"),
        [F],
        [
            ["try", [["with", ["timeout", wait], "t", STYLES[style]("f")]], [["TimeoutError", []]]],
            ["do", ["X.cancelling"]],
            ["turn"],
        ],
        [RESULT],
        after=[*COUNT, ["see", "t"]],
        moves="u",
        waiters=(1, 2),
    )


def too_late(style: str) -> Iterator[Scenario]:
    """Yield scenarios in which the result comes before the limit or after it."""
    for way, hand in (("later", [["await", ["sleep", 1]]]), ("much later", [["await", ["sleep", 3]]])):
        for what, e in (
            ("wait_for", ["wait_for", "f", 2]),
            ("wait_for a task", ["wait_for", ["body", "works"], 2]),
        ):
            yield Scenario(
                f"{what}, {way}{style}",
                Rules("WAITFOR-2", cancel="WAITFOR-4"),
                [F],
                STYLES[style](e),
                [hand, RESULT],
                after=COUNT,
                bodies=WORKS,
                waiters=(1,),
            )
        yield Scenario(
            f"timeout, {way}{style}",
            Rules("TIMEOUT-1", cancel="TIMEOUT-2"),
            [F],
            [["with", ["timeout", 2], "t", STYLES[style]("f")], ["turn"]],
            [hand, RESULT],
            after=[*COUNT, ["see", "t"]],
            waiters=(1,),
        )


#: How two futures end.
BOTH: Final[tuple[tuple[str, list[list[Statement]]], ...]] = (
    ("both", [RESULT, OTHER]),
    ("the other first", [OTHER, RESULT]),
    ("an error", [ERROR, OTHER]),
    ("a cancel", [CANCEL, OTHER]),
    ("all at once", [RESULT + OTHER]),
)


def combined() -> Iterator[Scenario]:
    """Yield the scenarios of gather, wait, as_completed and TaskGroup."""
    for way, hand in BOTH:
        yield from gathers(way, hand)
        yield from waits(way, hand)
        yield from groups(way, hand)


def gathers(way: str, hand: list[list[Statement]]) -> Iterator[Scenario]:
    value = {"an error": "GATHER-2", "a cancel": "GATHER-5"}.get(way, "GATHER-1")
    for keeps in (False, True):
        keywords: list[Expression] = [{"return_exceptions": True}] if keeps else []
        yield Scenario(
            f"gather, {way}{', exceptions returned' * keeps}",
            Rules("GATHER-3" if keeps else value, cancel="GATHER-4"),
            [F, G],
            [awaited(["gather", "f", "g", *keywords]), ["turn"]],
            hand,
            waiters=(1, 2),
            after=[["see", "f"], ["see", "g"]],
        )
    yield Scenario(
        f"gather cancelled itself, {way}",
        Rules("GATHER-6", cancel="GATHER-4"),
        [
            F,
            TASK,
            ["let", "g", ["loop.create_future"]],
            ["let", "all", ["gather", "inner", "g", "inner"]],
        ],
        [awaited("all"), ["turn"]],
        [*hand, [["do", ["all.cancel"]]]],
        bodies=WORKS,
        waiters=(1,),
    )


def waits(way: str, hand: list[list[Statement]]) -> Iterator[Scenario]:
    """Yield the scenarios of wait and as_completed."""
    for until, rule in (
        ("FIRST_COMPLETED", "WAIT-1"),
        ("FIRST_EXCEPTION", "WAIT-2"),
        ("ALL_COMPLETED", "WAIT-3"),
    ):
        yield Scenario(
            f"wait, {until}, {way}",
            Rules(rule, cancel="WAIT-5"),
            [F, G],
            [awaited(["wait", ["list", "f", "g"], {"return_when": until}]), ["turn"]],
            hand,
            waiters=(1,),
            after=[["see", "f"], ["see", "g"]],
        )
    yield Scenario(
        f"wait, a timeout, {way}",
        Rules("WAIT-4", cancel="WAIT-5"),
        [F, G],
        [awaited(["wait", ["list", "f", "g"], {"timeout": 1}]), ["turn"]],
        [*hand, [["await", ["sleep", 2]]]],
        waiters=(1,),
        after=[["see", "f"], ["see", "g"]],
    )
    yield Scenario(
        f"as_completed, {way}",
        Rules("ASDONE-1", cancel="ASDONE-3"),
        [F, G],
        [
            [
                "for",
                "step",
                ["as_completed", ["list", "f", "g"]],
                [["try", [awaited("step")], [["KeyError", []]]]],
            ]
        ],
        hand,
        waiters=(1,),
        begun=True,
    )
    yield Scenario(
        f"async for as_completed, {way}",
        Rules("ASDONE-4", cancel="ASDONE-3"),
        [F, G],
        [["async for", "step", ["as_completed", ["list", "f", "g"]], [caught(awaited("step"))]]],
        hand,
        waiters=(1,),
        begun=True,
        since=(3, 13),
    )


def groups(way: str, hand: list[list[Statement]]) -> Iterator[Scenario]:
    for style in ("", ", caught"):
        group = [
            ["let", "one", ["grp.create_task", ["body", "works"]]],
            ["let", "two", ["grp.create_task", ["body", "helps"]]],
        ]
        for inside, body in (("", [["turn"]]), (", its body waits", STYLES[style]("x"))):
            yield Scenario(
                f"TaskGroup, {way}{inside}{style}",
                Rules("GROUP-2" if way == "an error" else "GROUP-1", "GROUP-1", cancel="GROUP-4"),
                [F, G, ["let", "x", ["loop.create_future"]]],
                [
                    ["try", [["with", ["TaskGroup"], "grp", [*group, *body]]], [["ExceptionGroup", []]]],
                    ["do", ["X.cancelling"]],
                    ["turn"],
                ],
                [*hand, [["do", ["x.set_result", 3]]]],
                bodies={**WORKS, "helps": STYLES[style]("g")},
                waiters=(1,),
                after=COUNT,
            )


AWAITING: Final = [*futures(), *tasks(), *guarded(), *combined()]
