"""Profiles: how an interface that differs from asyncio's on purpose is held to asyncio's rules.

A profile is a module in this folder, or a file of its user's, with any of these:

    LEFT_OUT     by asyncio's name, the methods that are not tested
    DIFFERS      classes that derive from impl's class of the same name and behave as the subject does
    adapt(x)     returns things by asyncio's names, made of the subject's class, function or module x

A program that shows different lines on impl with the classes of DIFFERS is about the difference, and is not played.
The first line of the module's docstring says what differs.
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

from ...programs.enumeration import Program
from ...programs.runtimes import Ours
from ...programs.staged import Staged
from ..normal import Line, played

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

    def difference(self, program: Program, names: frozenset[str]) -> str:
        """Return the name whose difference a program shows that uses these names, or ""."""
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
    return Profile(name, about, getattr(module, "LEFT_OUT", {}), differs, getattr(module, "adapt", None))


@cache
def built_in(name: str) -> Profile:
    """Return the profile of that name in this folder."""
    return profile_of(importlib.import_module(f"{__name__}.{name}"), name)


__all__ = ["NO_PROFILE", "PROFILES", "Profile", "built_in", "profile_of"]
