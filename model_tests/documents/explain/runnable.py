"""The program of a rule, for a reader to copy into a file and run: of a vector, of a fact, or written for its page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from spec.kit.assurance import many

from ...conformance.cases.sources import Case, catalogue
from ...conformance.facts.fact import facts
from ...programs.releases import Release
from ...programs.script import ASYNCIO
from .edges import OLDEST
from .program import PlainProgram, readable
from .written import KERNEL, WRITTEN

#: By rule without a vector of its own: the vector of another rule that shows it.
OF_OTHERS: Final = {
    "START-4": "a new task runs nothing at once",
    "START-5": "a new task runs nothing at once",
    "START-6": "a task that is cancelled before it began runs nothing",
    "SCOPE-2": "cancelling() is balanced after a timeout",
    "SCOPE-8": "a cancel from outside stays one",
    "SCOPE-9": "cancelling() is balanced after a timeout",
    "SCOPE-10": "a body that swallows the group's cancel",
    "SCOPE-28": "a group waits for all its tasks",
}


@dataclass(frozen=True)
class Runnable:
    """A program that is run as it stands: its title, its text, and its output.

    since: the first Python that can run it; case: its vector.
    """

    title: str
    text: str
    printed: str
    since: Release = OLDEST
    case: Case | None = None

    @property
    def needs(self) -> str:
        """Which Python it needs, if not every one that this project supports has it."""
        return f"It needs Python {'.'.join(map(str, self.since))}." if self.since > OLDEST else ""


def program_of(rule: str, cases: Sequence[Case]) -> Runnable | None:
    """Return the program of the rule of those vectors; None if it has none."""
    return of_page(rule) or of_other(rule) or of_vector(rule, cases) or of_fact(rule)


def of_vector(rule: str, cases: Sequence[Case]) -> Runnable | None:
    """Return the program of one of these vectors, if one prints something.

    It prints something on its way, is about the rule more than others are, takes little time, and is short.
    """
    found = [shown for case in cases if readable(case) and (shown := PlainProgram(case)).printed]
    if not found:
        return None
    shown = min(found, key=lambda each: (each.silent, _about(rule, each.case), each.virtual, len(each.text)))
    return of_shown(f"One of {many(len(cases), 'vector')}", shown)


def of_shown(title: str, shown: PlainProgram) -> Runnable:
    """Return the program of a vector, with the beginning of its title."""
    case = shown.case
    return Runnable(f"{title}: {case.name}.", shown.text, "\n".join(shown.printed) + "\n", case.since, case)


def of_other(rule: str) -> Runnable | None:
    """Return the program of the vector of another rule that shows this one, if there is one."""
    case = next((case for case in catalogue() if case.name == OF_OTHERS.get(rule)), None)
    return of_shown(f"A vector of {case.rules[0]}", PlainProgram(case)) if case else None


def of_fact(rule: str) -> Runnable | None:
    """Return the program of the first fact about a rule, if there is one."""
    fact = next((fact for fact in facts().values() if rule in fact.rules), None)
    if fact is None:
        return None
    text = next(fact.functions(ASYNCIO, ()))
    (name,) = re.findall(r"^def (\w+)", text, re.MULTILINE)
    title = f"A fact, of which every assertion holds: {fact.text}."
    called = f'\n\n{name}()\nprint("every assertion holds")\n'
    return Runnable(title, text.rstrip() + called, "every assertion holds\n", fact.since)


def of_page(rule: str) -> Runnable | None:
    """Return the program that is written for the page of a rule, if there is one."""
    written = WRITTEN.get(rule)
    title = "On our own loop." if rule in KERNEL else "Written for this page."
    return Runnable(title, written.text, written.printed, written.since) if written else None


def _about(rule: str, case: Case) -> tuple[bool, int]:
    """How little a vector is about a rule: whether it names another first, and how many it names."""
    return rule != case.rules[0], len(case.rules)
