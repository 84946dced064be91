"""The public names of the packages, from their docstrings: a page for each module that lists them in `__all__`."""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from spec.kit.render.markdown import prose

from ...dev.pythons import ROOT

#: The modules that programs import, with their purpose.  Relative names: in the wheel the packages are in another.
MODULES: Final = {
    "impl": "the loop, futures, tasks, queues, locks and combinators",
    "impl.net": "connections, streams, and the simulated network",
    "impl.bridges.asyncio.run": "unmodified asyncio programs on the simulated loop",
    "impl.bridges.trio.run": "unmodified trio programs on the simulated loop",
    "impl.explore": "the search of the schedules of a program",
    "impl.picture": "a run as a picture",
    "spec.kit": "what specifications and their models are made of",
    "spec.queue": "the specification of the queue, to derive from",
    "model_tests.conformance.conform": "implementations held to asyncio's rules",
}
INDEX: Final = "api/index.md"
#: The most characters of a value that is shown.
LONGEST: Final = 40


def pages() -> Iterator[tuple[str, str]]:
    """Yield each page with its text."""
    listed = "".join(f"- [`{name}`](/api/{name}.md): {what}\n" for name, what in MODULES.items())
    yield INDEX, f"# The API\n\nThe public names, from their docstrings.\n\n{listed}"
    for name in MODULES:
        yield f"api/{name}.md", "\n".join(page(import_module(name)))


def page(module: ModuleType) -> Iterator[str]:
    """Yield the lines of the page of a module."""
    yield from (f"# {module.__name__}", "", *described(inspect.getdoc(module)))
    for name in module.__all__:
        yield from documented(name, getattr(module, name), 2)


def documented(name: str, thing: Any, level: int) -> Iterator[str]:
    """Yield the lines of a public name, and after a class those of its public methods.

    Parameters:
        name: as it is written by a program.
        thing: the value, which may be anything.
        level: that of the heading.
    """
    yield from (f"{'#' * level} {name}", "")
    if not (inspect.isclass(thing) or inspect.isroutine(thing)):
        yield from (f"A value: {_shown(thing)}.", "")
        return
    if signature := _signature(thing):
        yield from ("```python", f"{name.rpartition('.')[2]}{signature}", "```", "")
    yield from described(inspect.getdoc(thing))
    yield from _at(thing)
    if inspect.isclass(thing):
        for method, function in methods(thing):
            yield from documented(f"{name}.{method}", function, level + 1)


def methods(of: type) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties of a class, as functions; not those that it inherits."""
    for name, value in vars(of).items():
        function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if not name.startswith("_") and inspect.isfunction(function):
            yield name, function


def described(docstring: str | None) -> Iterator[str]:
    """Yield a docstring as Markdown: the parameters and errors as lists, other indented lines as code."""
    for paragraph in re.split(r"\n\s*\n", docstring or ""):
        title, _, rest = paragraph.partition("\n")
        if re.fullmatch(r"[A-Z]\w+:", title) and rest.startswith("    "):
            yield from (title, "")
            for item in re.split(r"\n(?=    \S)", rest):
                yield f"- {prose(' '.join(item.split()))}"
        elif paragraph.startswith("    "):
            yield paragraph
        else:
            yield prose(paragraph)
        yield ""


class _Bare(str):
    """A text that a signature shows without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _signature(thing: Any) -> str:
    """The signature as it is written: annotations without quotation marks, long defaults as three dots."""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):  # of the interpreter's own classes
        return ""
    parameters = [
        each.replace(annotation=_bare(each.annotation), default=_short(each.default))
        for each in signature.parameters.values()
    ]
    return str(signature.replace(parameters=parameters, return_annotation=_bare(signature.return_annotation)))


def _bare(annotation: Any) -> Any:
    return _Bare(annotation) if isinstance(annotation, str) else annotation


def _short(default: Any) -> Any:
    """The default, or three dots for one that is long, or that shows its address."""
    if default is inspect.Parameter.empty:
        return default
    shown = repr(default)
    return _Bare("...") if len(shown) > LONGEST or " at 0x" in shown else default


def _shown(thing: Any) -> str:
    """A value that is neither a class nor a function."""
    shown = repr(thing)
    return f"of type {type(thing).__name__}" if len(shown) > LONGEST or " at 0x" in shown else f"`{shown}`"


def _at(thing: Any) -> Iterator[str]:
    """The place of a class or a function, if it is in the checkout."""
    try:
        thing = inspect.unwrap(thing)  # the file of a wrapper would be another one
        file, line = inspect.getsourcefile(thing), inspect.getsourcelines(thing)[1]
    except (TypeError, OSError):
        return
    if file and file.startswith(f"{ROOT}/"):
        yield from (f"At {file.removeprefix(f'{ROOT}/')}:{line}.", "")
