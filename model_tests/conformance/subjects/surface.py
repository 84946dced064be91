"""The surface of a subject: for each name that it brings, the methods and parameters of asyncio's that are not there.

A `Surface` is found in the child, before anything is played (`surface_of`), and sent to the kit.  A member is a
method or attribute ("clear"), or a parameter: "put(item)" if `put` does not take `item`, "put(item=)" if not by this
name, "put(item?)" if it may not be left out; "put(after!)" is a parameter that asyncio does not have, and that must be
given.  The parameters of a function or of a constructor have no method before them: "(value)".  Methods that later
versions of asyncio have, as impl does, are listed apart.
"""

import asyncio
import inspect
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from inspect import Parameter
from types import MappingProxyType, ModuleType
from typing import Any, Final

import impl

from ...programs.runtimes import tell_c_of_pure_tasks
from ...programs.vectors.player import LOOKS
from ..attribute import FAMILIES
from .members import PROTOCOLS, has, members
from .subject import ORIGINALS, SubjectNames, brought, substitute

#: A value of a namespace under test.
Thing = Any
#: By name, members that are not there.
Members = dict[str, list[str]]

#: The names with a surface that is compared.
COMPARED: Final = (*FAMILIES, "Timeout", "Runner", "run")
#: By name: methods with underscores that other code of asyncio calls, and the name of that.
PRIVATE: Final = {"Future": {"_make_cancelled_error": "gather"}}
#: By function: the class of the object that it gives, as programs have it (usage.py), and its documented members.
RESULTS: Final = {
    **dict.fromkeys(("timeout", "timeout_at"), ("Timeout", ("expired", "reschedule", "when"))),
    "as_completed": ("AsCompleted", ("__aiter__", "__anext__")),
}
ERROR_OF_SHUTDOWN: Final = "QueueShutDown"
NAMED: Final = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
#: The keywords of create_task() before 3.14, when it began to take and hand on all: a right one may know no others.
HANDED_ON: Final = ("name", "context")
POSITIONAL: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True)
class Surface:
    """The parts of asyncio's surface that a subject does not have, by name."""

    missing: Members = field(default_factory=dict)
    later: Members = field(default_factory=dict)  #: missing in this version of asyncio, too
    left_out: Members = field(default_factory=dict)  #: the members that a profile leaves out
    unlike: Members = field(default_factory=dict)  #: the members that only one of both shows in a "see" line
    private: Members = field(default_factory=dict)  #: the members that asyncio's own code calls

    def lines(self) -> list[str]:
        """Return a line for each name that lacks something."""
        lines = [f"{name}: not there: {', '.join(map(spelled, lacks))}" for name, lacks in self.missing.items()]
        return lines + [f"{name}: left out on purpose: {', '.join(lacks)}" for name, lacks in self.left_out.items()]

    def incomplete(self, name: str, keyword: str = "") -> bool:
        """Return whether asyncio's code, or a caller with that keyword, may miss something of this name."""
        missing = self.missing.get(name, ())
        lacks = [each for each in missing if not each.endswith("=)") or each.endswith(f"({keyword}=)")]
        return name in self.left_out or bool(lacks)

    def names(self) -> list[str]:
        """Return the names with a missing member."""
        return [*self.missing, *self.later, *self.left_out, *self.unlike, *self.private]


def surface_of(brings: Mapping[str, Thing], left_out: Mapping[str, Collection[str]] = MappingProxyType({})) -> Surface:
    """Return the surface of the things that a subject brings, by asyncio's names; `left_out` is a profile's."""
    found = Surface()
    for name, thing in brings.items():
        if name not in COMPARED or not callable(thing):
            continue
        original, left = ORIGINALS[name][-1], list(left_out.get(name, ()))
        lacks = [member for member in missing(original, thing) if member.partition("(")[0] not in left]
        for member, user in PRIVATE.get(name, {}).items():
            if not has(thing, member):
                found.private[user] = [f"{name}.{member}"]
        more = missing(getattr(impl, name, thing), thing)
        later = [m for m in more if m not in (*lacks, *left) and m.islower() and "(" not in m]
        likewise = not isinstance(thing, type) or hasattr(thing, "__getattr__")
        shown = [look for look in LOOKS if not likewise and has(thing, look) != has(original, look)]
        shown += [look for look in LOOKS if look in left and look not in shown]
        for table, some in (
            (found.missing, lacks),
            (found.later, later),
            (found.left_out, left),
            (found.unlike, shown),
        ):
            if some:
                table[name] = some
        cls, wanted = RESULTS.get(name, ("", ()))
        if cls and cls not in brings:
            own = [each for each in wanted for result in results(name, original) if hasattr(result, each)]
            lacks = [each for result in results(name, thing) for each in own if not hasattr(result, each)]
            if lacks:
                found.missing[cls] = lacks
                found.unlike[cls] = [look for look in LOOKS if look in lacks]
    return found


def results(name: str, thing: Thing) -> list[Thing]:
    """Return the object that a function of RESULTS gives; none if it raises an error, as programs will show."""

    async def given() -> Thing:
        if name == "as_completed":
            return thing([])
        async with thing(None) as block:
            return block

    loop = asyncio.new_event_loop()
    try:
        return [loop.run_until_complete(given())]
    except (Exception, asyncio.CancelledError):
        return []
    finally:
        loop.close()


def surfaced(subject: ModuleType, left_out: Mapping[str, Collection[str]] = MappingProxyType({})) -> Surface:
    """Substitute a subject for asyncio, but for the names with an incomplete surface; return its surface."""
    surface = surface_of(brought(subject), left_out)
    if not hasattr(SubjectNames(subject), ERROR_OF_SHUTDOWN):  # no program can catch the subject's error
        for name in [name for name in FAMILIES if name.endswith("Queue") and name in brought(subject)]:
            surface.later[name] = [*surface.later.get(name, ()), "shutdown"]
    if "Task" in brought(subject):
        tell_c_of_pure_tasks()  # else current_task() knows no task in Python, which is no defect of its author's
    substitute(subject, list(filter(surface.incomplete, surface.names())))
    return surface


def spelled(member: str) -> str:
    """Return a member as the report has it."""
    method, parenthesis, parameter = member.partition("(")
    if not parenthesis:
        return PROTOCOLS.get(member, member)
    of = f" of {method}" if method else ""
    name = parameter.rstrip("!?=)").replace("kwargs", "eager_start and others")
    if parameter.endswith("!)"):
        return f"a call{of} without {name}"
    if parameter.endswith("?)"):
        return f"a default for {name}{of}"
    return f"the keyword {name}{of}" if parameter.endswith("=)") else f"the parameter {name}{of}"


def missing(original: Thing, thing: Thing) -> Iterator[str]:
    """Yield the members of `original` that `thing` lacks."""
    if isinstance(original, type) and isinstance(thing, type):
        if thing is original:
            return
        for member in sorted(members(original)):
            if not has(thing, member):
                yield member
            else:
                method = inspect.getattr_static(original, member, None)
                if inspect.isfunction(method) and member not in PROTOCOLS:
                    yield from parameters(member, method, getattr(thing, member, None))
    yield from parameters("", original, thing)


def parameters(method: str, original: Thing, thing: Thing) -> Iterator[str]:
    """Yield the parameters of a callable that another in its place does not take, as members."""
    wanted, given = signature(original), signature(thing)
    if wanted is None or given is None:
        return
    kinds = {parameter.kind for parameter in given}
    place = [parameter for parameter in given if parameter.kind in POSITIONAL]
    by_name = {parameter.name for parameter in given if parameter.kind in NAMED}
    for number, parameter in enumerate(wanted):
        name = parameter.name
        if name[:1] == "_":
            continue
        named = name in by_name or Parameter.VAR_KEYWORD in kinds
        placed = number < len(place) or Parameter.VAR_POSITIONAL in kinds
        if parameter.kind is Parameter.KEYWORD_ONLY:
            if not named:
                yield f"{method}({name})"
        elif parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD):
            if parameter.kind not in kinds and "create_task" in (method, original.__name__):
                yield from (f"{method}({each})" for each in HANDED_ON if each not in by_name)
                yield f"{method}({name}=)"
            elif parameter.kind not in kinds and not by_name.issuperset(HANDED_ON):
                yield f"{method}({name})"
        elif not placed:
            yield f"{method}({name})"
        else:
            if not named and parameter.kind is Parameter.POSITIONAL_OR_KEYWORD:
                yield f"{method}({name}=)"
            if parameter.default is not Parameter.empty and required(place[number : number + 1]):
                yield f"{method}({name}?)"
    yield from (f"{method}({parameter.name}!)" for parameter in extra(wanted, given))


def extra(wanted: Collection[Parameter], given: Collection[Parameter]) -> Iterator[Parameter]:
    """Yield the parameters that must be given, and that asyncio's callable does not have."""
    if any(parameter.kind is Parameter.VAR_POSITIONAL for parameter in wanted):
        places = len(given)
    else:
        places = sum(parameter.kind in POSITIONAL for parameter in wanted)
    names = {parameter.name for parameter in wanted}
    for number, parameter in enumerate(given):
        taken = number < places if parameter.kind in POSITIONAL else parameter.name in names
        if not taken and required([parameter]):
            yield parameter


def required(some: Collection[Parameter]) -> bool:
    """Return whether one of these parameters must be given."""
    variable = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return any(p.default is Parameter.empty and p.kind not in variable for p in some)


def signature(thing: Thing) -> list[Parameter] | None:
    """Return the parameters of a callable, without self; None if Python does not know them."""
    try:
        found = list(inspect.signature(thing).parameters.values())
    except (TypeError, ValueError):
        return None
    return found[1:] if found and found[0].name == "self" else found
