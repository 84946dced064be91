"""`python -m spec.tla`: TLC searches the models of our check, and both must count the same states, steps and levels.

    python -m spec.tla [--full]

It prints a line for each configuration: our counts and those of TLC.  A step is one way to make one action true: both
count it, whether or not it changes the state, and however many lead to the same one.  TLC also counts the initial
states, which are subtracted here, and levels, which are one more than steps.  Where a property must be broken, both
must find it broken after as many steps.  Exit status 0: all equal; 1: something is not; 2: a usage error, or TLC cannot
run here.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TypeAlias

from ..crawl.specification import Crawl
from ..kit.bounded import Fails, Holds
from ..kit.search import LimitError, Violation, check, steps
from . import tlc
from .configurations import CONFIGURATIONS, Configuration
from .question import UNTOLD, NoCounterpart, Question, question

Outcome: TypeAlias = tlc.Found | tlc.Refuted
DIFFERENT = "DIFFERENT"


def main(argv: Sequence[str], configurations: Sequence[Configuration] = CONFIGURATIONS) -> int:
    """Compare all configurations, the long ones only with --full; returns the exit status."""
    if argv not in ([], ["--full"]):
        print("usage: python -m spec.tla [--full]", file=sys.stderr)
        return 2
    try:
        command, tools = tlc.java(), tlc.jar()
    except tlc.Unavailable as error:
        print(f"spec.tla: {error}", file=sys.stderr)
        return 2
    chosen = [c for c in configurations if "--full" in argv or not c.instance.full]
    width = max(len(label(c)) for c in chosen)
    states = different = 0
    print(f"{'':{width}}  {'states':>17} {'edges':>17} {'depth':>7}  (ours, TLC's)")
    for c in chosen:
        began = time.perf_counter()
        print(f"{label(c):<{width}}", end="  ", flush=True)
        try:
            us, them = ours(c), tlc.ask(command, tools, asked(c), long=c.instance.full)
        except (NoCounterpart, tlc.Failed, Violation, LimitError) as error:
            different += 1
            print(f"FAILS\n{error}")
            continue
        verdict = judged(us, them, c.sooner)
        different += verdict == DIFFERENT
        states += us.states if isinstance(us, tlc.Found) else 0
        print(f"{beside(us, them)}  {verdict} {time.perf_counter() - began:5.1f} s")
    print(f"{len(chosen)} configurations, {states:,} states, {different} different")
    return 1 if different else 0


def label(c: Configuration) -> str:
    """The beginning of a line."""
    name, instance = c.instance.spec.name, c.instance
    what = f"{name}: {instance.title.removeprefix(f'{name}: ')}"
    return f"{what}: {instance.broken}" if isinstance(instance, Fails) else what


def ours(c: Configuration) -> Outcome:
    """The outcome of our check.  Raises Violation if a property that must hold is broken, and LimitError."""
    if isinstance(c.instance, Fails):
        try:
            check(c.instance.model())
        except Violation as violation:
            return tlc.Refuted(violation.depth)
    total = tlc.Found(0, 0, 0, 0)
    for model in c.instance.models() if isinstance(c.instance, Holds) else [c.instance.model()]:
        graph = check(model, may_end=c.instance.may_end)
        total = tlc.Found(
            total.initial + len(model.init),
            total.states + len(graph.parent),
            total.edges + graph.edges,
            max(total.depth, graph.depth),
        )
    return total


def asked(c: Configuration) -> Question:
    """The question for TLC.  Raises NoCounterpart."""
    instance = c.instance
    if isinstance(instance, Fails):
        return question([instance.model()], [instance.broken])
    spec = instance.spec
    # TLA+ has no properties of single actions.
    steps = [name for name, item in spec.steps.items() if not item.of]
    named = [*spec.invariants, *steps, *(spec.progress if instance.live else [])]
    properties = [name for name in named if spec.properties[name].rule not in UNTOLD]
    more = ["TypeOK"] + ["Ends"] * (spec.state is Crawl)
    return question(list(instance.models()), properties, more=more, sites=c.sites)


def judged(us: Outcome, them: Outcome, sooner: int) -> str:
    """The verdict on both outcomes; TLC finds an error `sooner` steps sooner."""
    if isinstance(us, tlc.Refuted) and isinstance(them, tlc.Refuted) and sooner:
        return "as it must" if us.depth == them.depth + sooner else DIFFERENT
    return "equal" if us == them else DIFFERENT


def beside(us: Outcome, them: Outcome) -> str:
    """Both counts, in columns."""
    if isinstance(us, tlc.Found) and isinstance(them, tlc.Found):
        return (
            f"{us.states:>8,} {them.states:>8,} {us.edges:>8,} {them.edges:>8,} {us.depth:>3} {them.depth:>3}"
        )
    return f"{found(us):>21} {found(them):>21}"


def found(what: Outcome) -> str:
    if isinstance(what, tlc.Found):
        return "not broken"
    return f"broken after {steps(what.depth)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
