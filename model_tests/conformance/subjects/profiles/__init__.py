"""Profiles: how an interface that differs from asyncio's on purpose is held to asyncio's rules.

A profile is a module in this folder, or a file of its user's, with any of these:

    LEFT_OUT     by asyncio's name, the methods that are not tested
    DIFFERS      classes that derive from impl's class of the same name and behave as the subject does
    adapt(x)     returns things by asyncio's names, made of the subject's class, function or module x

    WAYS         by asyncio's name, classes with freedoms (programs/freedoms/); as many mappings as there are designs

A program that shows different lines on impl with the classes of DIFFERS is about the difference, and is not played.
A difference from asyncio is right if a run shows it with DIFFERS or in one of the WAYS.  The first line of the module's
docstring states the difference.

`A,B` are two profiles at once: B adapts the results of A.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType, SimpleNamespace
from typing import Any, Final

import impl

from ....programs.enumeration import Program
from ....programs.runtimes import Ours
from ....programs.stages import Staged
from ...normal import Line, played

#: A class, function or module of a subject, or a class of impl's.
Thing = Any
#: The names of the profiles that are there.
PROFILES: Final = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


@dataclass(frozen=True)
class Profile:
    """The content of a profile."""

    name: str
    about: str = ""
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)
    differs: Mapping[str, Thing] = field(default_factory=dict)
    adapt: Callable[[Thing], Mapping[str, Thing]] | None = None
    ways: Sequence[Mapping[str, Thing]] = ()  #: by name, the classes that the reference has in its place

    def difference(self, program: Program, names: frozenset[str]) -> str:
        """Return the name with a difference that a program with these names shows, or ""."""
        used = [name for name in self.differs if name in names]
        if not used or shown(program, {}) == shown(program, self.differs):
            return ""
        return used[0]


NO_PROFILE: Final = Profile("")


def shown(program: Program, differs: Mapping[str, Thing]) -> list[Line]:
    """Return the lines of a program on impl with some classes replaced."""
    names = {name: getattr(impl, name) for name in impl.__all__}
    return played(lambda: Staged(program, Ours(SimpleNamespace(**{**names, **differs}))).play())


def profile_of(module: ModuleType, name: str) -> Profile:
    """Return the profile that a module has."""
    about = (module.__doc__ or name).strip().partition("\n")[0]
    differs = {thing.__name__: thing for thing in getattr(module, "DIFFERS", ())}
    left_out, adapt = getattr(module, "LEFT_OUT", {}), getattr(module, "adapt", None)
    return Profile(name, about, left_out, differs, adapt, getattr(module, "WAYS", [differs]))


def both(one: Profile, other: Profile) -> Profile:
    """Return two profiles as one."""
    adapts = [profile.adapt for profile in (one, other) if profile.adapt is not None]

    def adapt(thing: Thing) -> Mapping[str, Thing]:
        names = adapts[0](thing)
        return adapts[1](namespace(names)) if len(adapts) > 1 else names

    return Profile(
        f"{one.name},{other.name}",
        f"{one.about} {other.about}",
        {**one.left_out, **other.left_out},
        {**one.differs, **other.differs},
        adapt if adapts else None,
        [{**way, **other_way} for way in one.ways or [{}] for other_way in other.ways or [{}]],
    )


def namespace(names: Mapping[str, Thing]) -> ModuleType:
    """Return a module with these names."""
    made = ModuleType("adapted")
    vars(made).update(names)
    return made


@cache
def built_in(name: str) -> Profile:
    """Return the profile of that name in this folder."""
    return profile_of(importlib.import_module(f"{__name__}.{name}"), name)
