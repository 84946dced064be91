"""The implementation under test, or subject: a namespace with asyncio's names, and how it replaces asyncio.

A subject may bring any of asyncio's names; asyncio supplies the others.  asyncio's own code must use the subject's
names: its Queue the subject's Event, its gather the subject's futures.  So, before anything is played, each name of
the subject replaces asyncio's object of that name wherever an asyncio module refers to it, unless the subject's lacks
something (`surface.py`): then asyncio's code keeps asyncio's.  Classes of asyncio that derive from
Future and Task, and its C code, keep their bases.  `loops` has the loops on which programs run.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, reduce
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import impl
from impl.bridges.own_packages import located

from ...programs.runtimes import namespace
from .profiles import PROFILES, Profile, both, built_in, profile_of
from .suggestion import suggestion, written

# Any in this file: a name of a subject may be anything, and its loop is of any class.

#: Modules that asyncio exports; a subject does not replace them.
MODULES: Final = frozenset({"asyncio", "events", "tasks", "futures", "locks", "queues", "timeouts", "taskgroups"})
ORIGINAL_TASK: Final[Any] = asyncio.Task
#: The names of errors.
ERRORS: Final[tuple[str, ...]] = (
    "QueueEmpty",
    "QueueFull",
    "QueueShutDown",
    "BrokenBarrierError",
    "InvalidStateError",
)
#: Between a subject and its profile.
AS: Final = " as "
NEW_LOOP: Final = asyncio.new_event_loop
#: `__all__` does not have the last two in each version.
NAMES: Final = tuple(dict.fromkeys([*asyncio.__all__, "Timeout", "TaskGroup"]))
ORIGINALS: Final[dict[str, tuple[Any, ...]]] = {name: (getattr(asyncio, name, None),) for name in NAMES} | {
    "Future": (asyncio.futures._CFuture, asyncio.futures._PyFuture),  # type: ignore[attr-defined]  # not in typeshed
    "Task": (asyncio.tasks._CTask, asyncio.tasks._PyTask),  # type: ignore[attr-defined]  # as above
}


#: By module of asyncio and global: the subject's object there, and the one that it has replaced.
REPLACED: Final[dict[tuple[ModuleType, str], tuple[Any, Any]]] = {}


class SubjectError(Exception):
    """A subject cannot be tested; the text says why in one line."""


def load(subject: str) -> ModuleType:
    """The module of that name or file, or, of `FILE.py:CLASS`, one with that class only.

    `SUBJECT as PROFILE` is the module that the profile makes of it, if it makes one.  The folder of a file then comes
    first on sys.path, or, of a file in a package, that of the package.

    Raises:
        SubjectError: there is none, it cannot be imported, or has nothing that could be put under test.
    """
    subject, profile = profiled(subject)
    path, thing = split(subject)
    module = imported(path)
    if profile.adapt is not None:
        return adapted(module, path, thing, profile.adapt)
    if thing:
        return only(module, path, thing)
    if not any(hasattr(module, name) for name in {"new_event_loop", *NAMES} - MODULES):
        raise SubjectError(f"{subject} has none of asyncio's names: {suggestion(module, subject)}")
    return module


def profiled(subject: str) -> tuple[str, Profile]:
    """Return a subject without ` as PROFILE`, and the profile: names of PROFILES, or files, with commas between.

    Raises:
        SubjectError: there is no such profile.
    """
    subject, _, name = subject.partition(AS)
    if not name:
        return subject, Profile("")
    return subject, reduce(both, map(profile_named, name.split(",")))


def profile_named(name: str) -> Profile:
    """Return a profile of PROFILES, or that of a file.  Raises SubjectError if there is none."""
    if name in PROFILES:
        return built_in(name)
    if not name.endswith(".py"):
        raise SubjectError(f"there is no profile {name}: name one of {', '.join(PROFILES)}, or a .py file")
    return profile_of(imported(name), Path(name).stem)


def adapted(module: ModuleType, path: str, thing: str, adapt: Callable[[Any], Mapping[str, Any]]) -> ModuleType:
    """Return a namespace with the profile's adapter of a thing of a module, or of the module itself."""
    if thing and not hasattr(module, thing):
        raise SubjectError(f"{path} has no class or function {thing}")
    try:
        names = adapt(getattr(module, thing) if thing else module)
    except Exception as error:  # the profile is its user's
        raise SubjectError(f"the profile cannot adapt {path}: {type(error).__name__}: {error}") from error
    made = ModuleType(thing or module.__name__)
    vars(made).update(names)
    return made


def imported(subject: str) -> ModuleType:
    """Return the module itself.  Raises SubjectError as `load`."""
    try:
        if not subject.endswith(".py"):
            return importlib.import_module(subject)
        path = file_of(subject)
        folder, dotted = located(path)
        sys.path.insert(0, str(folder))
        if "." in dotted:
            return importlib.import_module(dotted)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
        return module
    except SubjectError:
        raise
    except BaseException as error:  # an import may raise anything
        if isinstance(error, ModuleNotFoundError) and error.name == subject:
            raise SubjectError(f"there is no module {subject}") from None
        said = " ".join(str(error).split())
        raise SubjectError(f"cannot import {subject}: {type(error).__name__}: {said}") from error


def file_of(subject: str) -> Path:
    """Return the absolute path of a file.  Raises SubjectError if there is none."""
    path = Path(subject).resolve()
    if not path.is_file():
        raise SubjectError(f"there is no file {subject}")
    return path


def exists(subject: str) -> None:
    """Raise SubjectError if there is no file, or no profile, of that name: no child need be started to see that."""
    path, _ = split(profiled(subject)[0])
    if path.endswith(".py"):
        file_of(path)


def split(subject: str) -> tuple[str, str]:
    """The file, or module, and the class of a subject: no class unless it is `FILE.py:CLASS`."""
    path, colon, thing = subject.rpartition(".py:")
    return (path + ".py", thing) if colon else (subject, "")


def only(module: ModuleType, path: str, name: str) -> ModuleType:
    """A namespace that has one class or function of `module`, for the one of asyncio that it replaces.

    That is asyncio's thing of the same name, or else the one that it derives from or, as a function, wraps
    (`functools.wraps`).  A thing derived from impl's gets impl's namespace and impl's loop.
    """
    thing = getattr(module, name, None)
    if not callable(thing):
        raise SubjectError(f"{path} has no class or function {name}")
    bases = thing.__mro__ if isinstance(thing, type) else (thing, getattr(thing, "__wrapped__", thing))
    for base in bases:
        for known in NAMES:
            if base is getattr(impl, known, None):
                return namespace(known, thing)
            if base in ORIGINALS[known]:
                return alone(module, known, thing)
    if name in NAMES:
        return alone(module, name, thing)
    what = f"{name} of {path} is not one of asyncio's names and derives from none"
    raise SubjectError(f"{what}: {written(thing)}, and test {path}")


def alone(module: ModuleType, name: str, thing: Any) -> ModuleType:
    """A namespace with one name, and those of its module's errors that have asyncio's names."""
    errors = {each: vars(module)[each] for each in ERRORS if each in vars(module)}
    made = ModuleType(name)
    vars(made).update(errors, **{name: thing})
    return made


def brought(subject: ModuleType) -> dict[str, Any]:
    """Return the things that a subject brings, by asyncio's names.

    On impl's loop those are its replacements of impl's, or all of impl's.
    """
    if on_impl(subject):
        has = {name: vars(subject)[name] for name in NAMES if name in vars(subject)}
        has = {name: thing for name, thing in has.items() if thing is not getattr(asyncio, name, None)}
        own = {name: thing for name, thing in has.items() if thing is not getattr(impl, name, None)}
        own.pop("new_event_loop", None)
        return own or has
    brings = {}
    for name in NAMES:
        new, old = vars(subject).get(name), getattr(asyncio, name, None)
        if new is None or old is None or new is old or isinstance(new, ModuleType) or name in MODULES:
            continue
        brings[name] = new
    return brings


def substitute(subject: ModuleType, without: Collection[str] = ()) -> None:
    """Substitute a subject's names for asyncio's, in all of asyncio, but for the names in `without`.

    The package `asyncio` keeps its names: a subject may wrap `asyncio.gather`, and call it by that name, or by that of
    a module, `asyncio.tasks.gather`.  On impl's loop nothing of asyncio's runs.
    """
    if on_impl(subject):
        return
    modules = [module for name, module in sys.modules.items() if name.startswith("asyncio.")]
    brings = {name: thing for name, thing in brought(subject).items() if name not in without}
    for name, new in brings.items():
        old = getattr(asyncio, name)
        for module in modules:
            for key, value in list(vars(module).items()):
                if value is old and key != "_C" + name:
                    put(module, key, new)
    for name, module in (("Future", asyncio.futures), ("Task", asyncio.tasks)):
        if name in brings:
            put(module, "_Py" + name, brings[name])


def put(module: ModuleType, key: str, new: Any) -> None:
    """Replace a global of a module of asyncio, for asyncio's own code."""
    REPLACED[module, key] = new, vars(module)[key]
    vars(module)[key] = new
    module.__class__ = Replaced


@contextmanager
def asyncios_own() -> Iterator[None]:
    """Have asyncio's code use asyncio's names meanwhile, for a subject that calls itself through them."""
    for (module, key), (_, old) in REPLACED.items():
        vars(module)[key] = old
    try:
        yield
    finally:
        for (module, key), (new, _) in REPLACED.items():
            vars(module)[key] = new


class Replaced(ModuleType):
    """A module of asyncio with attributes that are asyncio's own, but for asyncio's code: a subject never meets
    itself.
    """

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        new, old = REPLACED.get((self, name), (self, self))
        within = str(sys._getframe(1).f_globals.get("__name__")).startswith("asyncio.")
        return old if found is new and not within else found


class SubjectNames:
    """The namespace that programs use: the subject's names, and asyncio's for those that it lacks."""

    def __init__(self, subject: ModuleType) -> None:
        self.subject = subject

    def __getattr__(self, name: str) -> Any:
        return getattr(self.subject, name, None) or getattr(asyncio, name)


def own_loop(subject: ModuleType) -> Callable[[], Any] | None:
    """Return the function that makes the subject's own loops, or None."""
    make: Callable[[], Any] | None = getattr(subject, "new_event_loop", None)
    return None if make is NEW_LOOP else make


@cache
def on_impl(subject: ModuleType) -> bool:
    """Return whether the subject's loop is impl's.

    Raises:
        SubjectError: `new_event_loop` cannot be called.
    """
    make = own_loop(subject)
    if make is None:
        return False
    try:
        loop = make()
    except Exception as error:
        raise SubjectError(f"new_event_loop() raised {type(error).__name__}: {error}") from error
    with suppress(Exception):  # `loops.kind_of` names the methods that a loop lacks
        loop.close()
    return isinstance(loop, impl.Loop)
