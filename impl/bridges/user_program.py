"""The program that a command runs: FILE:FUNCTION, imported as a module of its own, or MODULE:FUNCTION.

The file's directory, or that of the command, comes first on the path, and `sys.argv` is as if the file had been run by
itself, without arguments.  A file with relative imports is imported as a module of its package.  A package beside the
file hides one of ours with the same name (own_packages.py).  The function takes no parameters and returns the
coroutine; a `functools.partial` of one does, too.

A traceback is shortened to the lines of the program, which are those that its user can change.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from traceback import FrameSummary, StackSummary, TracebackException
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, Literal, TypeAlias, get_args

from ..commands.options import UsageError, clipped
from ..errors import DeadlockError
from ..sim.frames import FROZEN, is_users
from ..sim.garbage import parsed
from ..sim.recipe import SEED_MAX
from .guards.locks import replaced
from .own_packages import located, make_room

#: The user's function.  Any: the yields and the result of its coroutine are between it and its runtime.
UserMain: TypeAlias = Callable[[], Coroutine[Any, Any, Any]]

#: The runtime of a user's program.
Runtime: TypeAlias = Literal["asyncio", "trio"]

#: The module name of the file; its own name could be that of another module.
MODULE: Final = "loopspec_program"


#: The functions that a message names, at most.
_CANDIDATES_MAX: Final = 3


class ImportRaised(Exception):
    """The import of the user's file raised; `__cause__` is the error."""


def load(what: str) -> UserMain:
    """Import the file of FILE:FUNCTION, or the module of MODULE:FUNCTION; return the function.

    Raises:
        UsageError: `what` has another form, or there is no such file, module or coroutine function without parameters.
        ImportRaised: the import raised an Exception.
    """
    if "::" in what:
        raise UsageError(f"{what} is a test: pytest {what} --explore")
    file, colon, name = what.rpartition(":")
    if not (colon and file and name):
        file = what.rstrip(":")
        names = _candidates(file) or ["program.py:main"]
        raise UsageError(f"FILE:FUNCTION, for instance {' or '.join(names)}, not {what!r}")
    try:
        module = _module(file) if _is_module(file) else _file(Path(file))
    except UsageError:
        raise
    except Exception as error:
        raise ImportRaised(f"{file} cannot be imported") from error
    function = getattr(module, name, None)
    if not inspect.iscoroutinefunction(function):
        if inspect.isasyncgenfunction(function):
            raise UsageError(f"{file}: {name!r} yields, so it is no coroutine function: name one")
        others = f"; it has {' and '.join(names)}" if (names := _candidates(file)) else ""
        raise UsageError(f"{file} has no coroutine function {name!r} (async def){others}")
    needed = [
        each.name
        for each in inspect.signature(function).parameters.values()
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    if needed:
        test = f", or have pytest make them: pytest {file}::{name} --explore" if name.startswith("test") else ""
        raise UsageError(f"{name} needs parameters, {', '.join(needed)}: name a function that needs none{test}")
    main: UserMain = function
    return main


def absolute(what: str) -> str:
    """FILE:FUNCTION with an absolute path, MODULE:FUNCTION as it is."""
    return what if _is_module(what.rpartition(":")[0]) else str(Path(what).absolute())


def _is_module(name: str) -> bool:
    """Whether a name is a dotted name, and not one of a file."""
    return all(map(str.isidentifier, name.split("."))) and not Path(name).is_file() and not name.endswith(".py")


def _candidates(file: str) -> list[str]:
    """FILE:FUNCTION for the coroutine functions of a file that need no parameters, from its syntax tree; or MODULE."""
    path = Path(*file.split(".")).with_suffix(".py") if _is_module(file) else Path(file)
    try:
        tree = parsed(path.read_bytes())
    except (OSError, ValueError, SyntaxError):  # ValueError: a null byte in the name
        return []
    functions = [each for each in tree.body if isinstance(each, ast.AsyncFunctionDef) and not _needed(each.args)]
    functions.sort(key=lambda each: each.name != "main")
    return [f"{file}:{each.name}" for each in functions[:_CANDIDATES_MAX]]


def _needed(parameters: ast.arguments) -> bool:
    """Whether one of the parameters has no default."""
    by_place = len(parameters.posonlyargs) + len(parameters.args)
    return by_place > len(parameters.defaults) or None in parameters.kw_defaults


def function_of(main: Any) -> FunctionType | None:  # Any: whatever can be called
    """The Python function in a partial, a decorated function or a method; None: there is none."""
    while isinstance(main, partial):
        main = main.func
    main = inspect.unwrap(main)
    main = getattr(main, "__func__", main)
    return main if isinstance(main, FunctionType) else None


def add_runtime(parser: argparse.ArgumentParser) -> None:
    """Add the option that replaces the answer of `runtime_of`."""
    parser.add_argument("--runtime", choices=get_args(Runtime), help="run on this (default: by the imports)")


def add_outside(parser: argparse.ArgumentParser) -> None:
    """Add the options for real servers."""
    parser.add_argument(
        "--outside",
        action="append",
        metavar="HOST:PORT",
        help="a real server that the program may connect to; also the path of a Unix socket",
    )
    parser.add_argument("--before-run", metavar="COMMAND", help="run before each run: it resets the state of servers")


def first_seed(options: argparse.Namespace) -> int:
    """The seed of the first run, as --seed says; each run after it has the next seed.

    Raises:
        UsageError: --runs leads beyond the greatest seed.
    """
    first: int = options.seed or 0
    if first + (options.runs or 1) > SEED_MAX + 1:
        raise UsageError(f"--runs: the greatest seed is {SEED_MAX}")
    return first


def runtime_of(main: UserMain) -> Runtime:
    """The runtime that a coroutine function is written for, as far as its file says; `asyncio` in doubt.

    It is trio if the file imports that and not asyncio; if the file imports both, the names decide which the function
    contains.
    """
    if (function := function_of(main)) is None:
        return "asyncio"
    code = function.__code__
    try:
        tree = parsed(Path(code.co_filename).read_bytes())
    except (OSError, SyntaxError):  # a function that was made by `exec`, for instance
        return "asyncio"
    imported = {name.partition(".")[0] for node in ast.walk(tree) for name in _imports(node)}
    if "asyncio" in imported and "trio" in imported:
        imported = _names(code)
    return "trio" if "trio" in imported and "asyncio" not in imported else "asyncio"


def _imports(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
        return [node.module]
    return []


def _names(code: CodeType) -> set[str]:
    """The global names of a function and of those within it."""
    inner = (each for each in code.co_consts if isinstance(each, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _module(name: str, folder: str = "") -> ModuleType:
    """Import a module that is found in a folder, or on the path."""
    directory = Path(folder).resolve()
    make_room(directory)
    sys.path.insert(0, str(directory))
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError as error:
        if not name.startswith(f"{error.name}."):
            raise
        found = None
    if found is None:
        raise UsageError(f"there is no file or module {clipped(name)}")
    sys.argv = [found.origin or name]
    with replaced():
        return importlib.import_module(name)


def _in_package(path: Path) -> bool:
    """Whether a file is in a package, and has relative imports."""
    try:
        nodes = ast.walk(parsed(path.read_bytes()))
    except SyntaxError:  # the import raises it, too
        return False
    relative = any(isinstance(node, ast.ImportFrom) and node.level for node in nodes)
    return relative and path.with_name("__init__.py").is_file()


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise UsageError(f"there is no file {clipped(str(path))}")
    if _in_package(path):
        folder, name = located(path.resolve())
        sys.path.insert(0, str(path.resolve().parent))
        return _module(name, str(folder))
    spec = importlib.util.spec_from_file_location(MODULE, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{clipped(str(path))} is no Python file, NAME.py")
    directory = path.resolve().parent
    make_room(directory)
    sys.path.insert(0, str(directory))
    sys.argv = [str(path)]
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    with replaced():
        spec.loader.exec_module(module)
    return module


def print_error(error: BaseException) -> None:
    """Print the program's exception, or the report of its deadlock, to standard error."""
    sys.stdout.flush()  # the program's own output comes first
    text = f"{error}\n" if isinstance(error, DeadlockError) else shortened(error)
    print(text, end="", file=sys.stderr)


def shortened(error: BaseException) -> str:
    """The traceback of the error, as Python prints it, with the program's lines only; ends with a newline.

    Library frames (`sim/frames.py`) are left out of the error and of every error that it holds or was caused by
    (`__cause__`, `__context__`, the errors of a group).  A traceback without any line of the program keeps its last
    line.  Files below the current directory are named relative to it.
    """
    whole = TracebackException.from_exception(error)
    for each in _all(whole):
        own = [f for f in each.stack if is_users(f.filename)]
        last = [f for f in each.stack[-1:] if not f.filename.startswith(FROZEN)]
        each.stack = StackSummary.from_list([_shown(frame) for frame in own or last])
    return "".join(whole.format())


def _shown(frame: FrameSummary) -> FrameSummary:
    here = os.path.join(os.getcwd(), "")
    return FrameSummary(frame.filename.removeprefix(here), frame.lineno, frame.name, line=frame.line)


def _all(error: TracebackException) -> Iterator[TracebackException]:
    """An error, those that caused it and those that it holds; they are a tree."""
    yield error
    for other in (error.__cause__, error.__context__, *(error.exceptions or ())):
        if other is not None:
            yield from _all(other)


@dataclass(frozen=True)
class FileFunction:
    """A program that another process can load: FILE:FUNCTION, with an absolute path, or MODULE:FUNCTION."""

    what: str

    def __call__(self) -> Any:
        """Its coroutine.  Raises UsageError or ImportRaised, as `load`."""
        return self.loaded()()

    def loaded(self) -> UserMain:
        """The function, loaded once in a process."""
        return _loaded(self.what)


@cache
def _loaded(what: str) -> UserMain:
    return load(what)
