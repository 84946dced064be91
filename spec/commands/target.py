"""The argument of a command: the name of a specification, or a file of the user's with instances in it.

A file is run as a module, with its folder at the end of the path, so that it finds its neighbours and hides no module.
Its instances are the values of its top-level names: `Holds`, `Fails`, lists of them; shipped ones that it imports are
left out.  An error in it is reported in a line or two, with file and line and without a traceback, because its user can
mend only that file.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, NoReturn

from ..kit.bounded import Fails, Holds, Instance
from ..kit.core import Spec, SpecError
from ..kit.render.source import Untranslatable
from ..kit.rules import HOME

FILE = re.compile(r"(.+\.py)(?::(.*))?", re.S)
#: An error's text that begins with the place.
PLACED = re.compile(r"(.+?\.py)(:\d+: .*)", re.S)
#: The most lines of an error's text that are shown.
MOST_LINES = 3


class UsageError(Exception):
    """The arguments, or the file that they name, are invalid; the text says why."""


class Parser(argparse.ArgumentParser):
    """A parser of `target`, without abbreviations, that raises UsageError, which `main` reports in one line."""

    #: Parses as argparse does; `loopspec` sets one that takes defaults from pyproject.toml (commands/project.py).
    parse: ClassVar[Callable[..., tuple[Any, list[str]]]] = argparse.ArgumentParser.parse_known_args

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(prog=prog, description=description, allow_abbrev=False)
        #: Options that exclude others: the name, the names of the others, the reason.
        self.excluded: list[tuple[str, Sequence[str], str]] = []
        self.add_argument(
            "target",
            nargs="?",
            metavar="NAME | FILE.py[:NAME]",
            help="only this specification, or the instances in a file of yours",
        )

    def exclude(self, name: str, others: Sequence[str], why: str) -> None:
        """Refuse an option together with any of the others; `why` begins the error."""
        self.excluded.append((name, others, why))

    def error(self, message: str) -> NoReturn:
        raise UsageError(message)

    def parse_known_args(  # type: ignore[override]  # argparse has overloads, which say the same
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[Any, list[str]]:
        options, rest = self.parse(args, namespace)
        for name, others, why in self.excluded:
            both = [f"--{each}" for each in others if getattr(options, each)]
            if both and getattr(options, name):
                raise UsageError(f"{why}: leave out {', '.join(both)}")
        return options, rest


def number(text: str) -> int:
    """An argparse type: a whole number, at least 0, in ASCII digits."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"a number, at least 0, not {text!r}")
    return int(text)


def chosen(target: str | None, registry: Sequence[Instance]) -> tuple[list[Instance], Path | None]:
    """The instances that `target` names, and the file if they are from one; None: all of the registry.

    `target`: the name of a specification, or FILE.py, or FILE.py:NAME with the name of a specification or a variable.
    Raises UsageError.
    """
    if target is None:
        return list(registry), None
    if match := FILE.fullmatch(target):
        path = Path(match[1])
        found = instances_of(load(path), path, match[2], registry)
        return found, path
    names = sorted({instance.spec.name for instance in registry})
    if target not in names:
        raise UsageError(f"there is no specification {target!r}; there are: {', '.join(names)}; or FILE.py")
    return [instance for instance in registry if instance.spec.name == target], None


def load(path: Path) -> ModuleType:
    """Run a file as a module.  Raises UsageError for any error in it."""
    taken = path.stem in sys.modules or path.stem in sys.stdlib_module_names
    loader = SourceFileLoader(f"{path.stem} (the file)" if taken else path.stem, str(path.absolute()))
    module = module_from_spec(ModuleSpec(loader.name, loader))  # a traceback of 3.15 requires a loader
    module.__file__, module.__package__ = loader.path, ""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    sys.path.append(str(path.absolute().parent))
    sys.modules[module.__name__] = module  # dataclasses look their module up
    try:
        exec(compile(text, module.__file__, "exec", dont_inherit=True), vars(module))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: a file that ends the program gives no instances
        raise UsageError(report(error, path)) from error
    return module


def instances_of(module: ModuleType, path: Path, name: str | None, registry: Sequence[Instance]) -> list[Instance]:
    """The instances of a file, each once; with a name, those of that variable or specification."""
    shipped = {id(instance) for instance in registry}
    found: dict[int, Instance] = {}
    for variable, value in vars(module).items():
        for instance in value if isinstance(value, list | tuple) else [value]:
            if isinstance(instance, Holds | Fails) and id(instance) not in shipped:
                check(instance, variable, path)
                text = [n for n, of in vars(module).items() if of is instance.spec]
                if name in (None, variable, instance.spec.name, *text):
                    found[id(instance)] = instance
    if not found and name is not None:
        raise UsageError(f"{path}: no specification or instance is called {name!r}")
    if not found:
        raise UsageError(f'{path}: it has no instance; add one, as in  SMALL = Holds(mine, "small", lambda: [model])')
    return list(found.values())


def check(instance: Instance, variable: str, path: Path) -> None:
    """Raise UsageError for mistakes that mypy would report, or that Python's own errors do not explain."""
    spec = instance.spec
    made = instance.models if isinstance(instance, Holds) else instance.model
    if not isinstance(spec, Spec) or not isinstance(instance.title, str) or not callable(made):
        raise UsageError(f"{path}: {variable}: an instance is a Spec, a title, and a function that makes models")
    for table in spec.tables():
        for item in table.values():
            yields, at = inspect.isgeneratorfunction(item.fn), item.fn.__code__
            where = f"{shown(Path(at.co_filename))}:{at.co_firstlineno}: {item.name}"
            if table is spec.actions and not yields:
                raise UsageError(f"{where} has no `yield`: an action yields the states that may follow")
            if table is not spec.actions and yields:
                raise UsageError(f"{where} has a `yield`: a property returns whether it holds")


def report(error: BaseException, path: Path | None) -> str:
    """An error in a few lines: the last place in the user's files that led to it, its type, its text and notes."""
    if path is None:
        return str(error)
    if isinstance(error, Untranslatable) and (found := PLACED.match(str(error))):
        return f"{shown(Path(found[1]))}{found[2]}"
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f"{shown(Path(error.filename))}:{error.lineno or 1}: {error.msg}"
    mine = lines_of(error, path)
    place = getattr(error, "place", None) or ((mine[-1].filename, mine[-1].lineno) if mine else None)
    at = f"{shown(Path(place[0]))}:{place[1]}" if place else str(path)
    lines = [line for line in str(error).splitlines() if line.strip()][:MOST_LINES]
    kind = [] if isinstance(error, SpecError) else [type(error).__name__]
    head = ": ".join([at, *kind, *lines[:1]])
    return "\n  ".join([head, *lines[1:], *getattr(error, "__notes__", ())])


def lines_of(error: BaseException, path: Path) -> list[traceback.FrameSummary]:
    """The lines of the user's files that led to an error, or to its cause, as of a StopIteration in a generator."""
    here, causes = path.absolute().parent, [each for each in (error, error.__cause__) if each is not None]
    frames = [frame for each in causes for frame in traceback.extract_tb(each.__traceback__)]
    return [f for f in frames if Path(f.filename).is_relative_to(here) and not is_ours(f.filename, path)]


def is_users(error: BaseException, path: Path | None) -> bool:
    """Whether an error is about the user's file: the kit says so, a line of it led there, or types differ."""
    if path is None:
        return isinstance(error, SpecError)
    return isinstance(error, SpecError | TypeError | AttributeError) or bool(lines_of(error, path))


def is_ours(filename: str, path: Path) -> bool:
    """Whether a file is one of this package, which the folder of `path` may contain."""
    return Path(filename).is_relative_to(HOME / "spec") and Path(filename) != path.absolute()


def shown(path: Path) -> str:
    """A path, relative to the current folder if it is inside."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)
