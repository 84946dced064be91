"""`python -m spec prove --wrong`: refute the mutants of the specifications, each in the property that it must lose."""

from __future__ import annotations

import time

from ..cases import wrong
from ..kit.bounded import Fails
from ..kit.frame import DECLARED
from ..kit.prove import premises
from ..kit.prove import wrong as mutants
from ..kit.prove.case import Case


def refute(target: str | None, seed: int | None) -> int:
    """Refute the mutants of one specification, or of all; `seed`: only a sample.  Returns the exit status.

    Prints a line for each.  One that is not refuted is an error: that no counterexample was found proves nothing.
    """
    chosen = [each for each in wrong() if target in (None, each[0].spec.name)]
    if seed is not None:
        some = premises.sample([title(fails) for fails, _ in chosen], seed, premises.ONE_IN)
        chosen = [each for each in chosen if title(each[0]) in some]
    width = max((len(title(fails)) for fails, _ in chosen), default=0)
    began, lost = time.process_time(), 0
    for fails, case in chosen:
        result = one(fails, case)
        lost += not result.startswith("refuted")
        print(f"{title(fails):<{width}}  {result}", flush=True)
    seconds = time.process_time() - began
    print(f"{len(chosen)} mutants: {len(chosen) - lost} refuted, {lost} not; CPU time {seconds:.2f} s")
    return 1 if lost else 0


def title(fails: Fails) -> str:
    """The beginning of the line of a mutant."""
    return f"{fails.spec.name}: {fails.title.removeprefix(f'{fails.spec.name}: ')}"


def one(fails: Fails, case: Case) -> str:
    """The result of one mutant, in words."""
    goal = fails.broken
    title = f"{goal} ({fails.spec.properties[goal].rule})" if goal not in DECLARED else goal
    found = mutants.refuted(fails, case, goal)
    if found is None:
        return f"NOT REFUTED, which it must be: {title}"
    return f"refuted: {title} {'of' if goal in DECLARED else 'after'} {found.obligation.action}"
