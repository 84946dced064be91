"""Rewritten copies of a program's modules and functions; the originals stay as they are.

A module is compiled a second time from its file and executed under its own name, but `sys.modules` keeps the first
one: other tests run as before.  Nothing is rewritten until `rewritten` is called.
"""

from __future__ import annotations

import inspect
import sys
from collections import deque
from collections.abc import Callable
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeVar

from ...bridges.guards.locks import replaced
from .expressions import HELPERS
from .footprint import Name, log
from .kinds import MARK, attributes, is_container, is_own, plain_key
from .rewrite import rewrite

F = TypeVar("F", bound=Callable[..., Any])  # Any: a function of the program

#: An attribute of a program that wraps a function of the user: makes the program that wraps another function.
WITH_FUNCTION: Final = "_loopspec_with_function"

#: The rewritten copies, by the file of the module; the text is compared, because a test may write a file anew.
_copies: Final[dict[str, tuple[str, ModuleType]]] = {}


class NotRewritable(ValueError):
    """A function has no source file that could be rewritten; the text names it."""


def rewritten_module(name: str, path: str) -> ModuleType:
    """The rewritten copy of the module of this name and file; it is executed once.

    Raises:
        NotRewritable: the file cannot be read, or raises when it is executed.
        SyntaxError: it is not Python.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NotRewritable(f"{path} cannot be rewritten: {error}") from None
    known = _copies.get(path)
    if known is not None and known[0] == text:
        return known[1]
    module = execute(text, path, name)
    _copies[path] = text, module
    return module


def execute(text: str, path: str, name: str) -> ModuleType:
    """Rewrite a text and execute it as a module of that name and path.  Raises NotRewritable: it raises."""
    code, module = compile(rewrite(text, path), path, "exec", dont_inherit=True), ModuleType(name)
    original = sys.modules.get(name)
    module.__file__ = path
    module.__package__ = name.rpartition(".")[0] if original is None else original.__package__
    # A traceback of 3.15 requires a loader of a module.
    module.__spec__ = getattr(original, "__spec__", None) or ModuleSpec(name, SourceFileLoader(name, path))
    module.__loader__ = module.__spec__.loader
    vars(module).update(HELPERS)
    if original is None:
        sys.modules[name] = module  # dataclass and pickle look for it while the text runs
    log.importing = True
    try:
        with replaced():
            exec(code, vars(module))
    except (Exception, SystemExit) as error:
        raise NotRewritable(
            f"{path} cannot be rewritten: executed a second time, it raises {type(error).__name__}: {error}"
        ) from error
    finally:
        log.importing = False
        if original is None:
            del sys.modules[name]
    return module


def rewritten_main(main: F) -> F:
    """The copy of a program; one that wraps a function of the user is made anew for the copy of that function.

    Raises:
        NotRewritable, SyntaxError: as `rewritten`.
    """
    make = getattr(main, WITH_FUNCTION, None)
    return rewritten(main) if make is None else make(rewritten(inspect.unwrap(main)))


def rewritten(fn: F) -> F:
    """The copy of a function of the program in the rewritten copy of its module.

    A function that is defined within another one keeps the variables around it; the functions among those are not
    rewritten.

    Raises:
        NotRewritable: `fn` is not a function of a file, the file has changed since it was imported, or a module that
            it imports was replaced.
    """
    if not isinstance(fn, FunctionType):
        raise NotRewritable(f"a {type(fn).__name__} cannot be rewritten: it is not a Python function")
    if MARK in fn.__globals__:
        return fn
    module = rewritten_module(fn.__module__, fn.__code__.co_filename)
    for name, value in vars(module).items():
        imported = isinstance(value, ModuleType) and sys.modules.get(value.__name__) is value
        if imported and fn.__globals__.get(name) is not value:
            raise NotRewritable(
                f"{fn.__qualname__} cannot be rewritten: {name} in its module is not what its file imports"
            )
    code = _code_like(fn.__code__, _code_of(fn.__module__, fn.__code__.co_filename))
    if code is None or set(code.co_freevars) != set(fn.__code__.co_freevars):
        raise NotRewritable(
            f"{fn.__qualname__} cannot be rewritten: its file has changed, or it was made in another way"
        )
    if "<locals>" not in fn.__qualname__ and not fn.__closure__:
        found: Any = module
        for part in fn.__qualname__.split("."):
            found = getattr(found, part, None)
        if isinstance(found, FunctionType):
            return found  # type: ignore[return-value]  # it has the same parameters
    cells = dict(zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True))
    copy = FunctionType(
        code, vars(module), fn.__name__, fn.__defaults__, tuple(cells[name] for name in code.co_freevars)
    )
    copy.__kwdefaults__ = fn.__kwdefaults__
    copy.__qualname__ = fn.__qualname__
    return copy  # type: ignore[return-value]  # as above


def _code_of(name: str, path: str) -> CodeType:
    """The code of the rewritten copy of a module."""
    return compile(rewrite(_copies[path][0], path), path, "exec", dont_inherit=True)


def _code_like(code: CodeType, within: CodeType) -> CodeType | None:
    """The code of the function that has the qualified name and the first line of `code`."""
    if (within.co_qualname, within.co_firstlineno) == (code.co_qualname, code.co_firstlineno):
        return within
    for constant in within.co_consts:
        if isinstance(constant, CodeType):
            found = _code_like(code, constant)
            if found is not None:
                return found
    return None


def begin_run(main: Callable[..., Any]) -> None:
    """Begin a run of `main`: name the objects that the rewritten modules and `main` hold from the beginning."""
    log.begin_run()
    for path, (_, module) in _copies.items():
        for name, value in list(vars(module).items()):
            if not name.startswith(("__", "_ls_")):
                _name(value, ("global", path, name))
    closure = getattr(main, "__closure__", None)  # a partial has none
    for cell, name in zip(closure, main.__code__.co_freevars, strict=True) if closure else ():
        try:
            _name(cell.cell_contents, ("closure", name))
        except ValueError:  # the variable is not set yet
            pass


def _name(value: Any, name: Name) -> None:  # Any: an object of the program
    """Name an object of the program and those in it, by the way that leads to them."""
    if not (is_container(value) or is_own(value)) or log.known(value) is not None:
        return
    log.made(value, name)
    if issubclass(type(value), dict):
        held = list(value.items())
    elif issubclass(type(value), list | deque):
        held = list(enumerate(value))
    else:
        held = list(attributes(value).items())
    for key, each in held:
        if plain_key(key):
            _name(each, (name, key))
