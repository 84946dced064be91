"""The functions of a program, rewritten in place for the duration of a block, and the names of its objects.

A file of the program is compiled a second time, rewritten, and within `rewritten` its functions have the code of that.
They are the same functions: whatever holds one (a route of a web framework, a fixture, a decorator) runs the code that
records, and the modules, their classes and their state are the program's own.

A function that is not found, or that the file does not have as it was imported, keeps its code: its steps are not
understood.
"""

from __future__ import annotations

import builtins
import gc
import linecache
import os
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, TypeAlias

from ...bridges.user_program import function_of
from ...sim.frames import is_users
from .expressions import HELPERS
from .footprint import Name, log
from .kinds import (
    PLAIN,
    attributes,
    is_container,
    is_own,
    own_classes,
    own_namespaces,
    plain_key,
    rewritten_codes,
)
from .rewrite import rewrite

# Any in this file: the program's objects, and the results of its functions.

#: The qualified name of a function, and its first line.
_Key: TypeAlias = tuple[str, int]
#: The objects that are looked through for functions, at most; near ones come first.
_OBJECTS_MAX: Final = 50_000
#: Our packages beside impl in a checkout: a plugin of pytest, for instance, is no part of the program that it runs.
_OURS: Final = tuple(os.path.join(Path(__file__).parents[3], name, "") for name in ("spec", "model_tests"))
#: The global names of a module.
_Names: TypeAlias = dict[str, Any]

#: The namespaces of the modules that are rewritten now.
_namespaces: Final[dict[str, _Names]] = {}


class NotRewritable(ValueError):
    """The file of a program cannot be rewritten; the text says why."""


@contextmanager
def files_run() -> Iterator[set[str]]:
    """The source files whose functions are called within the block, in this thread.

    Before Python 3.13 a profiler makes each frame keep its variables, so no object dies when it should: the run in the
    block is for this alone.
    """
    files: set[str] = set()
    before = sys.getprofile()
    sys.setprofile(lambda frame, event, arg: files.add(frame.f_code.co_filename) if event == "call" else None)
    try:
        yield files
    finally:
        sys.setprofile(before)
        gc.collect()


def followed(files: Iterable[str], main: Callable[..., Any], follow: Collection[str] = ()) -> list[str]:
    """The files that belong to a program: the user's, and those of modules and packages that are to be followed.

    Parameters:
        files: those that run.
        main: the function that is explored.
        follow: names of modules and packages.
    """
    function = function_of(main)
    folder = "" if function is None else os.path.dirname(function.__code__.co_filename)
    more = {
        getattr(module, "__file__", None)
        for name, module in list(sys.modules.items())
        if any(name == each or name.startswith(f"{each}.") for each in follow)
    }
    return sorted(
        file
        for file in files
        if file in more or (is_users(file) and (not file.startswith(_OURS) or os.path.dirname(file) == folder))
    )


@contextmanager
def rewritten(main: Callable[..., Any], files: Collection[str] = ()) -> Iterator[list[str]]:
    """Within the block, the functions of the program are rewritten; yields the files.

    Parameters:
        main: the function that is explored; its own file is rewritten, whatever it is.
        files: others of the program; one that cannot be rewritten is left out.

    Raises:
        NotRewritable: the file of `main` cannot be rewritten, or has changed since it was imported.
        SyntaxError: it is not Python.
    """
    if (function := function_of(main)) is None:
        raise NotRewritable(f"a {type(main).__name__} cannot be rewritten: it is not a Python function")
    own = function.__code__.co_filename
    codes = {} if id(function.__code__) in rewritten_codes else {own: _codes(own)}
    for file in sorted({*files} - {own}):
        try:
            codes[file] = _codes(file)
        except (NotRewritable, SyntaxError):
            continue
    names = _modules(codes, function.__globals__)
    log.begin_run()
    added: list[type] = []
    plain: list[tuple[FunctionType, CodeType]] = []
    _namespaces.update(names)
    own_namespaces.update(map(id, names.values()))
    try:
        for each in _functions_and_classes(
            [*names.values(), main], {space.get("__name__") for space in names.values()}
        ):
            if isinstance(each, FunctionType):
                code = _like(each.__code__, codes.get(each.__code__.co_filename, {}))
                if code is not None and getattr(each, "__builtins__", None) is vars(builtins):
                    plain.append((each, each.__code__))
                    each.__code__ = code
            elif id(each) not in own_classes:
                own_classes[id(each)] = each
                added.append(each)
        if id(function.__code__) not in rewritten_codes:
            raise NotRewritable(
                f"{function.__qualname__} cannot be rewritten: its file has changed, or it was made in another way"
            )
        yield [own, *(file for file in codes if file != own)]
    finally:
        for fn, code in plain:
            fn.__code__ = code
        for cls in added:
            own_classes.pop(id(cls), None)
        _namespaces.clear()
        own_namespaces.clear()


def _modules(files: Collection[str], own: _Names) -> dict[str, _Names]:
    """The namespace of the program, and those of the modules that were imported from these files, by name and file.

    A file may be two modules: the program, and what another file imports.
    """
    found = {"": own}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None) if type(module) is ModuleType else None
        if file in files and vars(module) is not own:
            found[f"{name} {file}"] = vars(module)
    return dict(sorted(found.items()))


def _functions_and_classes(roots: Iterable[Any], modules: Collection[str | None]) -> Iterator[Any]:
    """The functions that objects lead to, and the classes that are of these modules; no code of the program runs."""
    seen: dict[int, Any] = {}  # it keeps the things alive, so that none gets the id of another one
    left = deque(roots)
    while left and len(seen) < _OBJECTS_MAX:
        thing = left.popleft()
        kind = type(thing)
        if kind in PLAIN or kind is ModuleType or kind is CodeType or id(thing) in seen:
            continue
        seen[id(thing)] = thing
        if kind is FunctionType:
            yield thing
            left += (*(thing.__closure__ or ()), thing.__defaults__, thing.__kwdefaults__, *vars(thing).values())
        elif issubclass(kind, type):
            if thing.__module__ in modules:
                yield thing
                left += vars(thing).values()
        else:
            left += gc.get_referents(thing)


def _like(code: CodeType, codes: dict[_Key, list[tuple[CodeType, CodeType]]]) -> CodeType | None:
    """The rewritten code of a function; None: there is none, or it cannot be told from another one."""
    same = codes.get((code.co_qualname, code.co_firstlineno), [])
    if len(same) > 1:  # lambdas on one line
        same = [pair for pair in same if pair[0] == code]
    fits = [new for _, new in same if new.co_freevars == code.co_freevars and _parameters(new) == _parameters(code)]
    return fits[0] if len(fits) == 1 else None


def _parameters(code: CodeType) -> tuple[int, int, int, tuple[str, ...]]:
    number = code.co_argcount + code.co_kwonlyargcount
    return code.co_argcount, code.co_posonlyargcount, code.co_flags & 0x0C, code.co_varnames[:number]


def _codes(path: str) -> dict[_Key, list[tuple[CodeType, CodeType]]]:
    """The code of each function of a file, and its rewritten code.

    Raises:
        NotRewritable: the file cannot be read.
        SyntaxError: it is not Python.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        text = "".join(linecache.getlines(path))  # a cell of a notebook
        if not text:
            raise NotRewritable(f"{path} cannot be rewritten: {error}") from None
    return _compiled(path, text)


@cache
def _compiled(path: str, text: str) -> dict[_Key, list[tuple[CodeType, CodeType]]]:
    plain = _by_key(compile(text, path, "exec", dont_inherit=True))
    new = _by_key(noted(compile(rewrite(text, path), path, "exec", dont_inherit=True)))
    return {
        key: list(zip(codes, new[key], strict=True))
        for key, codes in plain.items()
        if len(codes) == len(new.get(key, ()))
    }


def noted(code: CodeType) -> CodeType:
    """The code of a rewritten file, which is known as rewritten from now on, with all in it.

    Its helpers are builtins, and stay: a coroutine that outlives its run calls them when it is closed.
    """
    vars(builtins).update(HELPERS)
    _rewritten_files.append(code)  # so that no id is that of another code
    rewritten_codes.update(id(each) for codes in _by_key(code).values() for each in codes)
    return code


_rewritten_files: Final[list[CodeType]] = []


def _by_key(code: CodeType) -> dict[_Key, list[CodeType]]:
    """A code and all within it, by their names and first lines; those with the same ones in the order of the file."""
    found: dict[_Key, list[CodeType]] = defaultdict(list)
    left = [code]
    for each in left:
        found[each.co_qualname, each.co_firstlineno].append(each)
        left += [constant for constant in each.co_consts if isinstance(constant, CodeType)]
    return found


def execute(text: str, path: str, name: str) -> ModuleType:
    """A text, rewritten and executed as a module of that name and path, which `sys.modules` does not get."""
    module = ModuleType(name)
    module.__file__ = path
    del module.__spec__  # a traceback of 3.15 warns of a spec without a loader
    exec(noted(compile(rewrite(text, path), path, "exec", dont_inherit=True)), vars(module))
    return module


def begin_run(main: Callable[..., Any]) -> None:
    """Begin a run of `main`: name the objects that its modules and its closure hold from the beginning."""
    log.begin_run()
    for path, names in _namespaces.items():
        for name, value in list(names.items()):
            if not name.startswith("__"):
                _name(value, ("global", path, name))
    function = function_of(main)
    for cell, name in zip(function.__closure__ or (), function.__code__.co_freevars, strict=True) if function else ():
        try:
            _name(cell.cell_contents, ("closure", name))
        except ValueError:  # the variable is not set yet
            pass


def _name(value: Any, name: Name) -> None:
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
