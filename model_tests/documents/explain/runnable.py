"""The program of a rule, for a reader to copy into a file and run: of a vector, of a fact, or written for its page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from impl.bridges.own_packages import spelled
from spec.kit.assurance import many

from ...conformance.cases.sources import Case, catalogue
from ...conformance.facts.fact import facts
from ...programs.releases import Release, parsed
from ...programs.script import ASYNCIO
from .program import PlainProgram, readable

#: The oldest Python that this project supports.
OLDEST: Final = (3, 11)
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


def _written() -> Iterator[tuple[str, Runnable]]:
    """Yield the programs of `written.txt`, by the rules with pages that show them."""
    file = Path(__file__).with_name("written.txt")
    for block in re.split(r"^== ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, rest = block.split("\n", 1)
        program, printed = rest.split("--\n")
        rules, _, since = head.partition(" since ")
        title = "Written for this page." if "import asyncio" in program else "On our own loop."
        shown = Runnable(title, spelled(program), f"{printed.rstrip()}\n", parsed(since) or OLDEST)
        yield from ((rule, shown) for rule in rules.split())


#: By rule, the program that is written for its page.
WRITTEN: Final = dict(_written())


def program_of(rule: str, cases: Sequence[Case]) -> Runnable | None:
    """Return the program of the rule of those vectors; None if it has none."""
    return WRITTEN.get(rule) or of_other(rule) or of_vector(rule, cases) or of_fact(rule)


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


def _about(rule: str, case: Case) -> tuple[bool, int]:
    """How little a vector is about a rule: whether it names another first, and how many it names."""
    return rule != case.rules[0], len(case.rules)
