"""Verdicts: proved, refuted or unknown, with the premises.

Fewer premises are faster: Z3 may give up with all invariants, and prove the same at once from three of them.  An
obligation with pinned premises (`premises.py`) is proved from those.  Otherwise the premises are looked for on a
ladder: the goal itself, then with the premises that other actions needed for the same goal, all invariants in few
steps, each other one, and at last all invariants in many steps.  Any subset is right; the ladder is only for speed.  If
no rung proves the obligation, a counterexample is looked for.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from . import solver as z
from .case import POSSIBLE, Case, Obligation
from .few import Counterexample, counterexample, taken
from .obligations import questions
from .setting import Unsaid

#: The most steps of Z3 for a question: on a rung of the ladder, and from pinned premises or all invariants.
RUNG_STEPS = 400_000
MOST_STEPS = 10_000_000


@dataclass(frozen=True)
class Verdict:
    """The verdict on an obligation: its `premises`, the most `steps` of Z3 in a question, CPU seconds.

    `found`: the counterexample.  `why`: the reason of "unknown" or of a stale pin.  The premises of POSSIBLE are
    the numbers of the ways that cannot be taken.
    """

    obligation: Obligation
    result: Literal["proved", "refuted", "unknown"]
    premises: tuple[str, ...] = ()
    steps: int = 0
    seconds: float = 0.0
    found: Counterexample | None = None
    why: str = ""
    stale: bool = False


@dataclass
class Prover:
    """Proves the obligations of one case; remembers for each goal the premises that its proofs needed."""

    case: Case
    pinned: dict[Obligation, tuple[str, ...]] = field(default_factory=dict)
    needed: dict[str, list[str]] = field(default_factory=dict)

    def prove(self, obligation: Obligation) -> Verdict:
        """The verdict on one obligation.  Raises Untranslatable, and Disagreement of Python with Z3."""
        began = time.process_time()
        try:
            verdict = self._possible(obligation) if obligation.goal == POSSIBLE else self._proved(obligation)
        except Unsaid as error:
            verdict = Verdict(obligation, "unknown", why=str(error))
        seconds = time.process_time() - began
        return Verdict(**{**vars(verdict), "seconds": seconds})

    def _possible(self, obligation: Obligation) -> Verdict:
        """Whether every way through the action can be taken, but for those that provably cannot, which are pinned."""
        pin = self.pinned.get(obligation)
        answers = self._ways(obligation, [int(name) - 1 for name in pin or ()])
        never = {number for number, answer in answers.items() if answer.result == "unsat"}
        ways = taken(self.case, obligation, never)
        missing = [number for number, way in enumerate(ways) if way is None and number not in never]
        answers |= self._ways(obligation, missing)
        steps = max((answer.steps for answer in answers.values()), default=0)
        for number in missing:
            if answers[number].result != "unsat":
                why = f"way {number + 1} is taken in no state over few elements, and perhaps in a larger one"
                return Verdict(obligation, "unknown", steps=steps, why=why)
        found = tuple(str(number + 1) for number in sorted([*never, *missing]))
        stale = pin is not None and pin != found
        why = f"pinned: ways {', '.join(pin or ()) or 'none'} cannot be taken" if stale else ""
        return Verdict(obligation, "proved", found, steps, why=why, stale=stale)

    def _ways(self, obligation: Obligation, numbers: Collection[int]) -> dict[int, z.Answer]:
        """The answers to whether these ways through the action can be taken, of those that there are."""
        if not numbers:
            return {}
        asked = questions(self.case, obligation, self.case.premises(obligation))
        return {
            number: z.ask([*question.formulas, *question.premises.values()], steps=MOST_STEPS)
            for number, question in enumerate(asked)
            if number in numbers
        }

    def _proved(self, obligation: Obligation) -> Verdict:
        if obligation in self.case.false:
            return self._refuted(obligation, 0, "")
        pin = self.pinned.get(obligation)
        if pin is not None:
            answer = self.attempt(obligation, pin, MOST_STEPS)
            if answer.result == "unsat":
                return Verdict(obligation, "proved", pin, answer.steps)
        steps = 0
        for names, most in self.ladder(obligation):
            answer = self.attempt(obligation, names, most)
            steps = max(steps, answer.steps)
            if answer.result == "unsat":
                used = self.least(obligation, names, answer.used)
                known = self.needed.setdefault(obligation.goal, [])
                known += [name for name in used if name not in known]
                why = "" if pin is None else f"the pinned premises do not suffice: {', '.join(pin) or 'none'}"
                return Verdict(obligation, "proved", used, steps, why=why, stale=pin is not None)
        return self._refuted(obligation, steps, answer.why)

    def _refuted(self, obligation: Obligation, steps: int, why: str) -> Verdict:
        """A counterexample, or unknown: a model of Z3 that Python cannot check is no counterexample."""
        found = counterexample(self.case, obligation)
        if found is not None:
            return Verdict(obligation, "refuted", steps=steps, found=found)
        return Verdict(obligation, "unknown", steps=steps, why=why or "no counterexample over few elements")

    def ladder(self, obligation: Obligation) -> Iterator[tuple[list[str], int]]:
        """The premises to try, each with the most steps; the last are all that there are."""
        invariants = self.case.premises(obligation)
        if not invariants:
            yield [], MOST_STEPS
            return
        own = [obligation.goal] if obligation.goal in invariants else []
        known = [name for name in self.needed.get(obligation.goal, []) if name not in own]
        tried: set[frozenset[str]] = set()
        for extra in ([], known, invariants, *([n] for n in invariants), *([*known, n] for n in invariants)):
            names = list(dict.fromkeys([*own, *extra]))
            if frozenset(names) not in tried:
                tried.add(frozenset(names))
                yield names, RUNG_STEPS
        yield invariants, MOST_STEPS

    def least(self, obligation: Obligation, names: Sequence[str], used: Collection[str]) -> tuple[str, ...]:
        """The premises that a proof used, if they suffice by themselves, or else all that it had."""
        fewer = tuple(name for name in names if name in used)
        return fewer if self.attempt(obligation, fewer, RUNG_STEPS).result == "unsat" else tuple(names)

    def attempt(self, obligation: Obligation, premises: Sequence[str], steps: int) -> z.Answer:
        """The answer to all questions: "unsat" if each is; `used`: the premises that they need."""
        most, used = 0, set[str]()
        for question in questions(self.case, obligation, premises):
            answer = z.ask(question.formulas, steps=steps, premises=question.premises)
            most = max(most, answer.steps)
            used |= set(answer.used)
            if answer.result != "unsat":
                return answer
        return z.Answer("unsat", most, used=tuple(sorted(used)))
