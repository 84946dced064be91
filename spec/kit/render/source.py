"""The functions of a specification as they are written: syntax trees, and calls of helpers.

Readers that do not run a specification begin at the functions that are registered (`roots`) and continue with the
helpers that they call (`helpers`), which are looked up as the calling function would.  A helper that is named in
`Spec.opaque` is listed, but not read.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import inspect
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from types import FunctionType, ModuleType
from typing import Any

from ..core import Named, Spec, SpecError, replace

#: The most characters of an expression outside the subset that an error shows.
MOST_SHOWN = 60
#: Calls of these have a meaning of their own.
QUANTIFIERS = (all, any, sum)
EXTREMES = (max, min)
KNOWN = (*QUANTIFIERS, *EXTREMES, len, frozenset, dataclasses.replace)


class Untranslatable(SpecError):
    """Only Python can follow it (`subset.py`); the text is `file:line: the expression: why: its replacement`."""


@dataclass(frozen=True, eq=False)
class Source:
    """A function of a specification, as it is written."""

    fn: FunctionType
    tree: ast.FunctionDef
    path: str
    lines: tuple[str, ...]

    @property
    def line(self) -> int:
        """The line of its `def`."""
        return self.tree.lineno

    @cached_property
    def body(self) -> list[ast.stmt]:
        """The statements after the docstring."""
        return self.tree.body[1:] if ast.get_docstring(self.tree) is not None else self.tree.body

    @property
    def generates(self) -> bool:
        return inspect.isgeneratorfunction(self.fn)

    def resolve(self, node: ast.expr) -> object:
        """The value of a name, or of a name of another module, where the function is defined; None if it has none.

        A variable of the function, or of one around it, has a value only when it runs.
        """
        found: object = None
        code = self.fn.__code__
        match node:
            case ast.Name(id=name) if name in (*code.co_varnames, *code.co_cellvars, *code.co_freevars):
                pass
            case ast.Name(id=name):
                found = self.fn.__globals__.get(name, getattr(builtins, name, None))
            case ast.Attribute(value=ast.Name() as of, attr=name):
                module = self.resolve(of)
                found = getattr(module, name, None) if isinstance(module, ModuleType) else None
        return dataclasses.replace if found is replace else found  # to readers they are one

    def helper(self, node: ast.AST) -> FunctionType | None:
        """The helper that `node` calls, or None."""
        found = self.resolve(node.func) if isinstance(node, ast.Call) else None
        return found if isinstance(found, FunctionType) and found not in KNOWN else None

    def makes_state(self, node: ast.Call) -> bool:
        """Whether `node` makes a state, field by field."""
        return dataclasses.is_dataclass(self.resolve(node.func))

    def bad(self, node: ast.AST, why: str) -> Untranslatable:
        """The error that `node` is outside."""
        line = getattr(node, "lineno", self.line)
        text = " ".join((ast.get_source_segment("".join(self.lines), node) or "").split())
        shown = text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."
        return Untranslatable(f"{self.path}:{line}: {shown}: {why}")


def at(fn: Callable[..., Any], why: str) -> Untranslatable:  # Any: of any signature
    """The error that a function as a whole is outside."""
    return Untranslatable(f"{fn.__code__.co_filename}:{fn.__code__.co_firstlineno}: {fn.__name__}: {why}")


@cache
def _functions(lines: tuple[str, ...]) -> dict[int, ast.FunctionDef]:
    """The functions of a file by their first line, which is that of a decorator where there is one."""
    nodes = [node for node in ast.walk(ast.parse("".join(lines))) if isinstance(node, ast.FunctionDef)]
    return {min([node.lineno, *(d.lineno for d in node.decorator_list)]): node for node in nodes}


@cache
def _lambdas(lines: tuple[str, ...]) -> dict[int, ast.FunctionDef]:
    """The lambdas that are the only one of their line, as functions that return a value."""
    nodes = [node for node in ast.walk(ast.parse("".join(lines))) if isinstance(node, ast.Lambda)]
    many = Counter(node.lineno for node in nodes)
    return {
        node.lineno: ast.copy_location(
            ast.FunctionDef("", node.args, [ast.copy_location(ast.Return(node.body), node)], []), node
        )
        for node in nodes
        if many[node.lineno] == 1
    }


@cache
def source(fn: Callable[..., Any]) -> Source:  # Any: of any signature
    """The syntax tree of a function.  Raises Untranslatable if it has none, like a lambda without a name."""
    where = f"{fn.__code__.co_filename}:{fn.__code__.co_firstlineno}" if isinstance(fn, FunctionType) else ""
    if not isinstance(fn, FunctionType) or fn.__name__ == "<lambda>":
        raise Untranslatable(f"{where or fn}: a function without a name: write a helper")
    of = _lambdas if fn.__code__.co_name == "<lambda>" else _functions
    try:
        lines = tuple(inspect.findsource(fn)[0])
        tree = of(lines)[fn.__code__.co_firstlineno]
    except (OSError, KeyError) as error:
        raise at(fn, "its source cannot be found: write it in a file, in a line of its own") from error
    return Source(fn, tree, fn.__code__.co_filename, lines)


def roots(spec: Spec[Any, Any]) -> list[FunctionType]:
    """The functions where a reader begins: the registered ones and their declarations; each once.

    Raises Untranslatable if one of them is not a function with a source.
    """
    items: Iterable[Named] = (item for table in spec.tables() for item in table.values())
    found = (fn for item in items for fn in (*item.reasons, item.answer, item.whenever, item.fn) if fn is not None)
    return list(dict.fromkeys(source(fn).fn for fn in found))


def callees(fn: FunctionType) -> list[FunctionType]:
    """The helpers that a function calls, in the order of the calls."""
    read = source(fn)
    found = (read.helper(node) for statement in read.body for node in ast.walk(statement))
    return list(dict.fromkeys(helper for helper in found if helper is not None))


def helpers(spec: Spec[Any, Any]) -> list[FunctionType]:
    """The helpers that the functions of `roots` call, and those that these call; opaque ones are listed, but not
    read: their laws are."""
    begin = roots(spec)
    found: dict[FunctionType, None] = {}
    todo = list(begin)
    while todo:
        fn = todo.pop(0)
        if fn.__name__ in spec.opaque and fn not in begin:
            law = spec.laws.get(fn.__name__)
            called = [source(law).fn] if law else []
        else:
            called = callees(fn)
        new = [helper for helper in called if helper not in found]
        found.update(dict.fromkeys(new))
        todo += [helper for helper in new if helper not in begin]
    return list(found)
