"""The scenarios of futures, tasks, and combinations of them, for the enumeration (`programs/enumeration.py`).

To hand over is to give the awaited thing a result or an exception, or to cancel it.  A waiter lets a cancel through, or
catches it and goes on, or cleans up first.  f and g are futures, `inner` is a task.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from ...programs.enumeration import Scenario
from ...programs.vectors.scenario import scenario, tried

F: Final = "f = future()"
BOTH_NEW: Final = "f = future(); g = future()"
#: A task; its body is in WORKS or SWALLOWS.
TASK: Final = "inner = create_task(works())"
RESULT: Final = "f.set_result(1)"
ERROR: Final = "f.set_exception(KeyError(1))"
CANCEL: Final = "f.cancel()"
OTHER: Final = "g.set_result(2)"
WAYS: Final = (("result", RESULT), ("error", ERROR), ("cancel", CANCEL))
COUNT: Final = "a.cancelling()"
SEEN: Final = "see(f); see(g)"


def caught(text: str) -> str:
    """Catch a cancel and go on."""
    return tried(text, "CancelledError")


def cleaned(text: str) -> str:
    """Clean up for one loop iteration, in any case."""
    return f"try: {text}\nfinally: turn(); list()\n"


def styled(style: str, e: str, value: int = 7) -> str:
    """Return the body of a waiter for an expression, in one of the ways to handle a cancel."""
    wait = f"await {e}"
    return {
        "": f"{wait}; turn(); return {value}",
        ", caught": f"{caught(wait)}turn(); return {value}",
        ", tried again": caught(wait) + wait,
        ", cleaned up": f"{cleaned(wait)}return {value}",
    }[style]


WORKS: Final = {"works": styled(", cleaned up", "f", 5)}
SWALLOWS: Final = {"works": styled(", caught", "f", 5)}


def indented(text: str) -> str:
    """Return statements as those of a block, after its head."""
    return "".join(f"\n {line}" for line in text.splitlines())


def futures() -> Iterator[Scenario]:
    for style in ("", ", caught", ", tried again", ", cleaned up"):
        for way, hand in WAYS:
            name, rules = f"a future's {way}{style}", "FUT-6 FUT-3 FUT-5 CANCEL-2"
            waiters, waits = (2,) if style else (2, 3), styled(style, "f")
            yield scenario(name, rules, F, waits, hand, after=COUNT, moves="nu", waiters=waiters)
    before = f"{F}; f.add_done_callback('first'); f.add_done_callback('second')"
    late = "f.add_done_callback('late'); f.remove_done_callback('second')"
    for way, hand in WAYS:
        yield scenario(
            f"callbacks, {way}",
            "FUT-5 FUT-3 FUT-5 FUT-2",
            *(before, "await f", hand, late),
            after="f.add_done_callback('last')",
            callbacks={"first": [], "second": [["list", ["f.done"]]], "late": [], "last": []},
        )


def tasks() -> Iterator[Scenario]:
    rules, before, counted = "TASK-5 TASK-1 TASK-2 CANCEL-1", f"{F}; {TASK}", "inner.cancelling()"
    for style in ("", ", caught", ", cleaned up"):
        for outer in ("", ", caught"):
            yield scenario(
                f"a task of a task{style}; outside{outer}",
                rules,
                *(before, styled(outer, "inner"), RESULT, counted),
                after=f"{COUNT}; {counted}",
                bodies={"works": styled(style, "f", 5)},
                moves="u",
                waiters=(1, 2),
            )
    name, texts = "a task of a task that is cancelled", ("await inner; turn()", "inner.cancel('why')", RESULT)
    yield scenario(name, rules, before, *texts, bodies=WORKS, waiters=(1,))
    own, last = "X.cancel('why')", "return 5"
    for name, works, rule in (
        ("and returns", last, "CANCEL-5"),
        ("and awaits", f"await f; {last}", "CANCEL-3"),
        ("and takes it back", f"X.uncancel(); await f; {last}", "CANCEL-6"),
        ("twice", f"{own}; X.uncancel()\n{caught('await f')}{last}", "CANCEL-9"),
        ("and gives its turn", f"{caught('turn()')}turn(); {last}", "TASK-4"),
        ("and raises", "raise KeyError(1)", "TASK-5"),
    ):
        name, waits = f"a task that cancels itself {name}", f"turn(); {own}\n{works}"
        yield scenario(name, rule, F, waits, RESULT, after=COUNT, moves="u", waiters=(1, 2))
    yield scenario(
        "a task that takes turns",
        "TASK-4 TASK-1 TASK-6 CANCEL-2",
        *(F, "list(); turn(); list(); turn(); list()", "loop.call_soon('called')"),
        after=COUNT,
        moves="un",
        callbacks={"called": []},
    )


def guarded() -> Iterator[Scenario]:
    """Yield the scenarios of shield, wait_for and timeout."""
    for style in ("", ", caught"):
        yield from shields(style)
        for limit, wait in (("for ever", None), ("a second", 1), ("no time", 0), ("less", -1)):
            yield from limited(style, limit, wait)
        yield from too_late(style)


def shields(style: str) -> Iterator[Scenario]:
    rules = "SHIELD-1 SHIELD-1 SHIELD-1 SHIELD-2"
    for way, hand in WAYS:
        waits, after = styled(style, "shield(f)"), f"{COUNT}; see(f)"
        yield scenario(f"shield, {way}{style}", rules, F, waits, hand, after=after)
    texts = f"{F}; {TASK}", styled(style, "shield(inner)"), "inner.cancel()", RESULT
    after = f"{COUNT}; see(inner)"
    yield scenario(f"shield of a task{style}", rules, *texts, after=after, bodies=WORKS, waiters=(1, 2))


def limited(style: str, limit: str, wait: int | None) -> Iterator[Scenario]:
    """Yield the scenarios of wait_for and timeout with one limit, in seconds."""
    value = "WAITFOR-6" if wait is None else "WAITFOR-1" if wait == 1 else "WAITFOR-5"
    for way, hand in WAYS if wait == 1 else WAYS[:1]:
        name, waits = f"wait_for, {limit}, {way}{style}", styled(style, f"wait_for(f, {wait})")
        rules = f"{value} - - WAITFOR-4"
        yield scenario(name, rules, F, waits, hand, after=COUNT, moves="u", waiters=(1, 2))
    for body, bodies in (("", WORKS), (" that goes on", SWALLOWS)):
        for what, rule, before, inner in (
            ("a task", "WAITFOR-2" if wait is None else value, f"{F}; {TASK}", "inner"),
            ("a coroutine", "WAITFOR-3", F, "works()"),
        ):
            name, rules = f"wait_for, {limit}, {what}{body}{style}", f"{rule} - - WAITFOR-4"
            waits = styled(style, f"wait_for({inner}, {wait})")
            yield scenario(name, rules, before, waits, RESULT, after=COUNT, bodies=bodies, waiters=(1,))
    block = f"async with timeout({wait}) as t:{indented(styled(style, 'f'))}"
    waits = f"try:{indented(block)}\nexcept TimeoutError: pass\nX.cancelling(); turn()"
    name, rules = f"timeout, {limit}{style}", f"{'TIMEOUT-1' if wait == 1 else 'TIMEOUT-5'} - - TIMEOUT-2"
    after = f"{COUNT}; see(t)"
    yield scenario(name, rules, F, waits, RESULT, after=after, moves="u", waiters=(1, 2))


def too_late(style: str) -> Iterator[Scenario]:
    """Yield scenarios where the result comes before the limit or after it."""
    for way, first in (("later", "await sleep(1)"), ("much later", "await sleep(3)")):
        hand, rules = (first, RESULT), "WAITFOR-2 - - WAITFOR-4"
        for what, inner in (("wait_for", "f"), ("wait_for a task", "works()")):
            name, waits = f"{what}, {way}{style}", styled(style, f"wait_for({inner}, 2)")
            yield scenario(name, rules, F, waits, *hand, after=COUNT, bodies=WORKS, waiters=(1,))
        waits = f"async with timeout(2) as t:{indented(styled(style, 'f'))}\nturn()"
        name, rules, after = f"timeout, {way}{style}", "TIMEOUT-1 - - TIMEOUT-2", f"{COUNT}; see(t)"
        yield scenario(name, rules, F, waits, *hand, after=after, waiters=(1,))


#: How two futures end.
BOTH: Final = (
    ("both", [RESULT, OTHER]),
    ("the other first", [OTHER, RESULT]),
    ("an error", [ERROR, OTHER]),
    ("a cancel", [CANCEL, OTHER]),
    ("all at once", [f"{RESULT}; {OTHER}"]),
)


def combined() -> Iterator[Scenario]:
    """Yield the scenarios of gather, wait, as_completed and TaskGroup."""
    for way, hand in BOTH:
        yield from gathers(way, hand)
        yield from waits(way, hand)
        yield from groups(way, hand)


def gathers(way: str, hand: Sequence[str]) -> Iterator[Scenario]:
    value = {"an error": "GATHER-2", "a cancel": "GATHER-5"}.get(way, "GATHER-1")
    for rule, more, keeps in (
        (value, "", ""),
        ("GATHER-3", ", exceptions returned", ", return_exceptions=True"),
    ):
        name, text = f"gather, {way}{more}", f"await gather(f, g{keeps}); turn()"
        rules = f"{rule} - - GATHER-4"
        yield scenario(name, rules, BOTH_NEW, text, *hand, waiters=(1, 2), after=SEEN)
    before = f"{F}; {TASK}; g = future(); all = gather(inner, g, inner)"
    texts = before, "await all; turn()", *hand, "all.cancel()"
    name, rules = f"gather cancelled itself, {way}", "GATHER-6 - - GATHER-4"
    yield scenario(name, rules, *texts, bodies=WORKS, waiters=(1,))


def waits(way: str, hand: Sequence[str]) -> Iterator[Scenario]:
    """Yield the scenarios of wait and as_completed."""
    for name, given, rule, more in (
        ("FIRST_COMPLETED", "return_when='FIRST_COMPLETED'", "WAIT-1", ()),
        ("FIRST_EXCEPTION", "return_when='FIRST_EXCEPTION'", "WAIT-2", ()),
        ("ALL_COMPLETED", "return_when='ALL_COMPLETED'", "WAIT-3", ()),
        ("a timeout", "timeout=1", "WAIT-4", ("await sleep(2)",)),
    ):
        rules, text = f"{rule} - - WAIT-5", f"await wait([f, g], {given}); turn()"
        yield scenario(f"wait, {name}, {way}", rules, BOTH_NEW, text, *hand, *more, waiters=(1,), after=SEEN)
    for kind, rule, error, since in (
        ("", "ASDONE-1", "KeyError", (3, 6)),
        ("async ", "ASDONE-4", "CancelledError", (3, 13)),
    ):
        name = f"{kind and 'async for '}as_completed, {way}"
        text = f"{kind}for step in as_completed([f, g]):{indented(tried('await step', error))}"
        rules = f"{rule} - - ASDONE-3"
        yield scenario(name, rules, BOTH_NEW, text, *hand, waiters=(1,), begun=True, since=since)


def groups(way: str, hand: Sequence[str]) -> Iterator[Scenario]:
    rules = f"{'GROUP-2' if way == 'an error' else 'GROUP-1'} GROUP-1 - GROUP-4"
    made = "one = grp.create_task(works()); two = grp.create_task(helps())"
    for style in ("", ", caught"):
        bodies = {**WORKS, "helps": styled(style, "g")}
        for inside, body in (("", "turn()"), (", its body waits", styled(style, "x"))):
            inner = indented(f"{made}\n{body}")
            block = indented(f"async with TaskGroup() as grp:{inner}")
            text = f"try:{block}\nexcept ExceptionGroup: pass\nX.cancelling(); turn()"
            name, texts = f"TaskGroup, {way}{inside}{style}", (text, *hand, "x.set_result(3)")
            before = f"{BOTH_NEW}; x = future()"
            yield scenario(name, rules, before, *texts, bodies=bodies, waiters=(1,), after=COUNT)


AWAITING: Final = [*futures(), *tasks(), *guarded(), *combined()]
