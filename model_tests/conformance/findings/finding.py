"""A finding: a smallest program that breaks a rule, with the expected lines and those that were seen."""

import asyncio
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from impl.bridges.own_packages import located

from ...programs.enumeration import Program
from ...programs.plain import functions
from ...programs.script import ScriptSubject, script, usual
from ..attribute import operations, thing
from ..cases.requirements import NEEDS
from ..facts.fact import Fact, facts
from ..normal import Line, hung, strings
from ..stand_in import StandIn
from ..subjects.subject import AS, split
from .content import ShownProgram
from .trial import shortest

#: Names that the loop must use: how main makes it do so.
FACTORIES: Final = {
    "Future": ("asyncio.get_running_loop().create_future = lambda: Future()",),
    "Task": (
        "asyncio.get_running_loop().set_task_factory(lambda loop, coro, **given: Task(coro, loop=loop, **given))",
    ),
}
#: How many other findings are tried in the place of one that no function shows.
SPARE: Final = 16
#: A loop that main runs on.
LOOP: Final = "new_event_loop"


@dataclass(frozen=True)
class Finding:
    """A program that breaks a rule, with the expected lines and those that were seen.

    `also` are rules with failing programs of their own, perhaps through the same cause; `because` rules of asyncio's
    own code, which uses the subject's names.
    """

    name: str
    program: Program
    expected: list[Line]
    seen: list[Line]
    subject: str = "asyncio"  #: its name or file
    rule: str = ""
    kind: str = ""
    brings: tuple[str, ...] = ()  #: asyncio's names that the subject brings
    signed: bool = False  #: whether a sign names the rule (`signs.py`)
    said: str = ""  #: the sentence of the predicate, if one failed
    also: tuple[str, ...] = ()
    because: tuple[str, ...] = ()
    shortest: str | None = field(default=None, compare=False)  #: the function that was run (`trial.py`)

    @property
    def rules(self) -> tuple[str, ...]:
        """Its rule, and the others."""
        return (self.rule, *self.also)

    @property
    def fact(self) -> Fact | None:
        """The fact that is not true, if that is the finding."""
        return facts()[self.program["fact"]] if "fact" in self.program else None

    @property
    def about(self) -> str:
        """The name that its rule is about."""
        return thing(self.rule, self.brings)

    @property
    def operations(self) -> int:
        """The size of the program: see `attribute.operations`."""
        return operations(self.program)

    @property
    def follows(self) -> bool:
        """Whether it is about lines that are missing because main had ended in an error by then."""
        return self.kind in ("stuck", "lost", "cancel") and not self.fact and self.shown.fails

    @property
    def hangs_in(self) -> str:
        """The method that never returns, or ""."""
        return "" if self.fact else self.shown.hangs_in

    @property
    def shown(self) -> ShownProgram:
        """The words for the program's difference."""
        return ShownProgram(self.program, self.expected, self.seen, self.kind)

    def function(self) -> str | None:
        """Return a short pytest function that fails on the subject and passes on asyncio, or None if none is known."""
        return self.shortest

    def text(self) -> str:
        """Return the function, or the script if there is none."""
        return self.function() or self.script()

    def functions(self) -> Iterator[str]:
        """Yield pytest functions that may show the finding, the plainest first; see programs/plain.py."""
        path, thing = split(self.subject.partition(AS)[0])
        module = located(Path(path).resolve())[1] if path.endswith(".py") else path
        fact = self.fact
        words = fact.uses() if fact else {word.partition("(")[0] for word in strings(self.program)}
        used = [name for name in self.brings if name in words or name in (*FACTORIES, LOOP)]
        within = {name: where for name in self.brings if name not in words and (where := patched(name))}
        if module == "asyncio" or (thing and len(self.brings) > 1):
            used, within = [], {}  # a test cannot name an object of a profile
        test = self.rule.lower().replace("-", "_")
        setup = [line for name in used for line in FACTORIES.get(name, ())]
        forms: list[tuple[list[str], dict[str, list[str]]]] = [([], {})]
        forms += [(setup, {})] * bool(setup) + [(setup, within)] * bool(within)
        for lines, places in forms:
            names = [*used, *(name for name in places if name not in used)]
            stands = ScriptSubject(
                "from unittest.mock import patch\n" * bool(places)
                + "".join(f"from {module} import {imported(name, thing)}\n" for name in names),
                lambda name: name if name in used else usual(name),
                LOOP if LOOP in used else None,
                "".join(f'@patch("{place}", {name})\n' for name in places for place in places[name]),
            )
            if fact:
                yield from fact.functions(stands, lines, test)
            else:
                yield from functions(test, self.program, self.expected, self.seen, stands, lines)

    def script(self) -> str:
        """Return the program as a script for asyncio, with the subject in asyncio's place; a fact as a test."""
        if self.fact:
            return next(self.functions())
        path, thing = split(self.subject)
        name = f"{Path(path).resolve()}:{thing}".rstrip(":") if path.endswith(".py") else path
        begin = f"\nfrom {StandIn.__module__} import StandIn\n\nsubject = StandIn({name!r})\n"
        stands = ScriptSubject(begin, spelled, "subject.loop()")
        return script(self.program, self.expected, self.seen, *([] if name == "asyncio" else [stands]))


@dataclass(frozen=True)
class Rejection:
    """A run of a state machine, of `machine`, that the specification rejects because of these rules."""

    machine: str
    rules: tuple[str, ...]
    text: str

    @property
    def title(self) -> str:
        """The failure, as a sentence."""
        return f"the state machine of {self.machine} fails"

    def lines(self) -> list[str]:
        """Return the lines of the report."""
        return [f"{self.title}: {', '.join(self.rules) or 'no rule'}", *self.text.rstrip().splitlines()]


def of_fact(fact: Fact, seen: list[Line], subject: str, rule: str, brings: Iterable[str]) -> Finding:
    """Return the finding of a fact that is not true."""
    return Finding(fact.text, fact.program, fact.expected, seen, subject, rule, "fact", brings=tuple(brings))


def tried(found: Sequence[Finding]) -> list[Finding]:
    """Return the findings, each with a function that was seen to fail on the subject and to pass on asyncio, if any."""
    codes = [[] if each.subject == "asyncio" else list(each.functions()) for each in found]
    folder, _ = located(Path(split(found[0].subject.partition(AS)[0])[0]).resolve()) if found else (Path(), "")
    path = [str(folder), *(entry or os.getcwd() for entry in sys.path)]
    stays = [NEEDS.get(each.rule, ()) for each in found]
    shown = shortest(codes, path, stays=stays, hangs=[hung(each.seen) for each in found])
    return [replace(each, shortest=code) for each, code in zip(found, shown, strict=True)]


def with_functions(found: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """Return the findings with their functions; in the place of one that no function shows, another that one does.

    That is one of its own rule, such as a fact, or else of its name: a program's difference may come from one before
    it.
    """
    shown = []
    left = [other for other in others if other.program not in [each.program for each in found]]
    known: dict[int, Finding] = {}  # the others that were tried, by their places in `left`
    for each in tried(found):
        alike = [place for place, other in enumerate(left) if other.about == each.about]
        spare = sorted(alike, key=lambda place: left[place].rule != each.rule)[:SPARE]  # stable
        if each.shortest or each.subject == "asyncio":
            spare = []
        new = [place for place in spare if place not in known]
        known.update(zip(new, tried([left[place] for place in new]), strict=True))
        best = next((known[place] for place in spare if known[place].shortest), each)
        also = tuple(rule for rule in each.rules if rule != best.rule)
        shown.append(each if best is each else replace(best, also=also, because=each.because))
    return shown


def patched(name: str) -> list[str]:
    """Return where asyncio's own code refers to asyncio's object of that name."""
    thing = getattr(asyncio, name, None)
    modules = [module for module in sorted(sys.modules) if module.startswith("asyncio.")]
    return [f"{module}.{name}" for module in modules if vars(sys.modules[module]).get(name) is thing]


def imported(name: str, thing: str) -> str:
    """Return the import of a script for a name, of a subject that may be one class."""
    return f"{thing} as {name}" if thing and thing != name else name


def spelled(name: str) -> str:
    """Return a name as the script of a finding has it."""
    return f"subject.{name}" if usual(name).startswith("asyncio.") else usual(name)
