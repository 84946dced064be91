"""The focus of a test: the programs that use the subject's names, and those of them that can be played on it.

Programs that use a name of the subject are *deep*: all of the catalogue, the enumeration and random programs about the
name are played.  Programs that use only names that asyncio builds upon those are *shallow*: only those of the catalogue
are played, to see that the rest of asyncio still stands.  Other programs do not meet the subject's code.  A subject
that brings a loop, futures or tasks is met by each program.
"""

import dis
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property
from typing import Final

from ..programs.enumeration import Program
from ..programs.releases import THIS
from ..programs.usage import Use
from .attribute import FAMILIES, families
from .cases.sources import Case
from .facts.fact import Fact
from .normal import Line, strings
from .subjects.members import codes
from .subjects.profiles import NO_PROFILE, Profile, built_in
from .subjects.subject import MODULES, NAMES, ORIGINALS
from .subjects.surface import Surface, signature, spelled

#: Names that each program uses.
LOOP: Final = "new_event_loop"
EVERYWHERE: Final = frozenset({"Future", "Task", LOOP})
KNOWN: Final = frozenset(NAMES)


#: One task acquires, another releases, then the first one does.
HANDED: Final[Program] = {
    "main": [
        ["await", ["l.acquire"]],
        ["let", "a", ["create_task", ["body", "other"]]],
        ["turn", 3],
        ["do", ["l.release"]],
    ],
    "bodies": {"other": [["do", ["l.release"]]]},
}
#: One task acquires twice, and releases once: another waits until it does so again.
AGAIN: Final[Program] = {
    "main": [
        *[["await", ["l.acquire"]]] * 2,
        ["let", "a", ["create_task", ["body", "other"]]],
        ["turn", 1],
        ["do", ["l.release"]],
        ["turn", 3],
        ["do", ["l.release"]],
        ["turn", 3],
    ],
    "bodies": {"other": [["await", ["l.acquire"]]]},
}
#: The calls that end, in their order.
REENTRANT: Final = [
    *[("main", "await l.acquire()")] * 2,
    *[("main", "l.release()")] * 2,
    ("other", "await l.acquire()"),
]
#: The classes that may be so.
LOCKS: Final = ("Lock", "Condition")


class Depth(Enum):
    """How often programs of a kind are played."""

    DEEP = "deep"
    SHALLOW = "shallow"
    NONE = "none"


@dataclass(frozen=True)
class Look:
    """The result for one program: its depth, the names it uses, and the missing ones among its needs."""

    depth: Depth
    names: frozenset[str]
    lacks: str = ""
    unseen: tuple[str, ...] = ()  #: the attributes that are not looked at


class Focus:
    """The focus on the names that a subject brings, with its surface; and on the documentation of this version, or on
    all.
    """

    def __init__(
        self,
        brings: Collection[str],
        surface: Surface,
        profile: Profile = NO_PROFILE,
        documented: bool = False,
    ) -> None:
        self.brings, self.surface, self.profile = frozenset(brings), surface, profile
        self.documented = documented
        self.whole = not brings or not EVERYWHERE.isdisjoint(brings)
        self.upon = built_upon(frozenset(name for name in brings if not surface.incomplete(name)))
        self._lacking = frozenset([*surface.names(), *profile.differs])
        #: The names for which random programs are made; none if all programs are about the subject.
        self.names = frozenset() if self.whole else self.brings
        self.mistakes: Counter[str] = Counter()  #: errors of the subject's own making, in programs that failed
        self.exercised: set[str] = set(self.brings & {LOOP})
        self._families = frozenset(families(brings))

    def look(self, program: Program) -> Look:
        """Return the result for one program."""
        return self.look_at(Case("", program))

    def look_at(self, case: Case) -> Look:
        """Return the result for a case; the case keeps its uses, which take long to read."""
        program = case.program
        everywhere = self.brings & EVERYWHERE
        known = case.since <= THIS and self._lacking.isdisjoint(said := frozenset(strings(program)))
        if self.whole and known:
            return Look(Depth.DEEP, said | everywhere)  # the next check is slow
        used = case.used
        names = everywhere.union(use.name for use in used)
        if self.whole or names & self.brings:
            depth = Depth.DEEP
        else:
            depth = Depth.SHALLOW if names & self.upon else Depth.NONE
        lacks = next(filter(None, map(self.lacks, used)), "")
        if case.since > THIS:
            lacks = lacks or next((f"{use} is of a later Python" for use in used if self.is_later(use)), "")
        if not lacks and depth is not Depth.NONE and (other := self.profile.difference(program, names)):
            lacks = f"{other} differs on purpose"
        unseen = {look: 0 for name in sorted(names) for look in self.surface.unlike.get(name, ())}
        return Look(depth, names, lacks, tuple(unseen))

    def tests(self, fact: Fact) -> bool:
        """Return whether a fact is about a name of the subject, or about asyncio if that, or a loop, is the subject.

        A loop of its own need not know threads.
        """
        if fact.threads and LOOP in self.brings:
            return False
        return self.brings <= {LOOP} or not self.brings.isdisjoint(fact.names)

    def fitted(self, case: Case, look: Look) -> Case:
        """Return the case with a program that looks only at attributes that both sides have."""
        if not look.unseen:
            return case
        return replace(case, program={**case.program, "unseen": [*look.unseen]})

    def about(self, program: Program) -> bool:
        """Return whether a program uses a name of the subject."""
        return self.look(program).depth is Depth.DEEP

    def counts(self, rule: str) -> bool:
        """Return whether a rule is about the subject's own names, so that it has a verdict."""
        return self.whole or not self._families.isdisjoint((rule, rule.partition("-")[0]))

    @cached_property
    def elsewhere(self) -> dict[str, str]:
        """The rules of a class that the subject does not bring, though it brings others of the family; and why."""
        found = {}
        for name, (rule, *family) in FAMILIES.items():
            special = family == [rule.partition("-")[0]]  # as QUEUE-28, of LifoQueue alone
            if special and name not in self.brings and not self._families.isdisjoint(family):
                found[rule] = f"{name} is not there"
        return {} if self.whole else found

    def lacks(self, use: Use) -> str:
        """Return the name that a use needs and the subject does not have, or ""."""
        if use.name in ORIGINALS and use.name not in self.brings:  # asyncio's code would use the argument
            for name in use.given:
                if name not in EVERYWHERE and self.surface.incomplete(name):
                    return absence(name, self.surface.missing[name][0])
        if use.name not in self.brings and use.name not in self.surface.missing:
            calls = self.surface.private.get(use.name)
            return f"asyncio's {use.name} calls {calls[0]}, which is not there" if calls else ""
        if use.member in self.surface.later.get(use.name, ()):
            return f"{use} is of a later Python"
        if use.member in self.surface.left_out.get(use.name, ()):
            return f"{use} is left out on purpose"
        lacked = self.surface.missing.get(use.name, ())
        if use.member in lacked:
            return absence(use.name, use.member)
        return next((absence(use.name, member) for member in needs(use) if member in lacked), "") or next(
            (absence(use.name, member) for member in lacked if member.startswith(f"{use.member}(") and "!" in member),
            "",
        )

    def is_later(self, use: Use) -> bool:
        """Return whether asyncio lacks a method in this version, and the subject does not bring its class.

        A method of a later version is not documented in this one, so that one of a subject may be another thing.
        """
        original = ORIGINALS.get(use.name, (None,))[-1]
        return (
            isinstance(original, type)
            and (self.documented or use.name not in self.brings)
            and not hasattr(original, use.member or "mro")
        )

    def unexercised(self) -> str:
        """Return the names that the subject brings and that no program has used, as text."""
        return ", ".join(sorted(name for name in self.brings - self.exercised if name[:1] != "_"))

    def nothing(self, subject: str) -> str:
        """Return, in a sentence, that no name of the subject was exercised; "" if one was."""
        if not self.brings or self.brings & self.exercised:
            return ""
        lacks = [f" ({line})" for line in self.surface.lines()]
        return f"nothing of {subject} was exercised: no program was played that uses {self.unexercised()}" + "".join(
            lacks
        )

    def notes(self, because: Mapping[str, int]) -> list[str]:
        """Return lines for the report: the surface, the names that were not exercised, and failures elsewhere.

        `because` has the rules of asyncio's code that fail because of the subject's, and the number of programs.
        """
        notes = self.surface.lines()
        if self.profile.name:
            notes.insert(0, f"profile {self.profile.name}: {self.profile.about}")
        if never := self.unexercised():
            notes.append(f"brought, and never exercised: {never}")
        notes += [f"raised {mistake}, in {times} programs that fail" for mistake, times in self.mistakes.items()]
        if because:
            rules = ", ".join(because)
            notes.append(f"{sum(because.values())} programs of asyncio's own code fail because of these names: {rules}")
        return notes


def profile_for(brings: Collection[str], profile: Profile, play: Callable[[Program], list[Line]]) -> Profile:
    """Return the profile, or, if there is none, that of a lock which only its holder can release, if it is one."""
    for name in LOCKS if not profile.name else ():
        lines = of_lock(HANDED, name, play) if name in brings else []
        said = {actor: outcome for _, actor, what, outcome in lines if what == "l.release()"}
        if said.get("other", "").startswith("raised ") and said.get("main") == "None":
            return built_in("reentrant" if is_reentrant(name, play) else "owner_checked")
    return profile


def advice_for(brings: Collection[str], profile: Profile, play: Callable[[Program], list[Line]]) -> list[str]:
    """Return a line for a lock that is re-entrant, or half asynchronous, if no profile says so: that may be a bug."""
    names = [name for name in LOCKS if name in brings and "Lock" not in profile.differs]
    return [
        f"the holder of a {name} may acquire it again: if that is the purpose, use --profile reentrant"
        for name in names
        if is_reentrant(name, play)
    ] + [
        f"release() of a {name} returns something: if that is to be awaited, use --profile half_async"
        for name in names
        if ["main", "l.release()", "something"] in [line[1:] for line in of_lock(HANDED, name, play)]
    ]


def is_reentrant(name: str, play: Callable[[Program], list[Line]]) -> bool:
    """Return whether its holder may acquire a lock again, and has to release it as often."""
    calls = [(actor, what) for _, actor, what, _ in of_lock(AGAIN, name, play) if "l." in what]
    return calls == REENTRANT


def of_lock(program: Program, name: str, play: Callable[[Program], list[Line]]) -> list[Line]:
    """Return the lines of a program about a lock `l` of this name."""
    return play({**program, "main": [["let", "l", [name]], *program["main"]]})


def absence(name: str, member: str) -> str:
    """Say that a member of a name is not there."""
    return f"{name}: {spelled(member)} is not there" if "(" in member else f"{name}.{member} is not there"


@cache
def needs(use: Use) -> list[str]:
    """Return the parameters that a use needs, as members of a surface."""
    found = []
    original = ORIGINALS.get(use.name, (None,))[-1]
    wanted = signature(getattr(original, use.member, None) if use.member else original) or []
    given = {parameter.name for parameter in wanted[: use.places]} | set(use.keywords)
    for parameter in wanted:
        name = f"{use.member}({parameter.name}"
        found.append(f"{name})" if parameter.name in given else f"{name}?)")
        if parameter.name in use.keywords:
            found.append(f"{name}=)")
    return found


@cache
def built_upon(brings: frozenset[str]) -> frozenset[str]:
    """Return the names of asyncio with code that uses one of these names, or a name built upon one, without these."""
    if not brings:
        return frozenset()
    found = set(brings)
    while more := {name for name in NAMES if name not in found and not found.isdisjoint(refers(name))}:
        found |= more
    return frozenset(found - brings)


@cache
def refers(name: str) -> frozenset[str]:
    """Return the names of asyncio that the code of one of them refers to."""
    return frozenset(
        said
        for code in codes(ORIGINALS[name][-1])
        if not KNOWN.isdisjoint(code.co_names)  # most code refers to none, and to read instructions is slow
        for said in globals_of(dis.get_instructions(code))
    )


def globals_of(steps: Iterable[dis.Instruction]) -> Iterator[str]:
    """Yield the names of asyncio that code loads: as a global, from a module of asyncio, or by an import."""
    within = False
    for step in steps:
        loads = step.opname in ("LOAD_GLOBAL", "IMPORT_FROM") or (within and "ATTR" in step.opname)
        loads = loads or (within and step.opname == "LOAD_METHOD")
        if loads and step.argval in KNOWN:
            yield step.argval
        if step.opname != "CACHE":
            within = step.opname == "LOAD_GLOBAL" and step.argval in MODULES
