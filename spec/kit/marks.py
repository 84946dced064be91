"""Marked copies of functions: which of their parts were reached while they ran.

A function is copied from its syntax tree, with a call around every expression that must be reached; the call records
that it was and passes its value on.  The copy runs in a copy of its module's globals: there the helpers that it
calls are marked copies too, and everything else is the original.  A part that must be reached is a `Point`;
`vacuity.py` says which points there are, and why.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, NamedTuple, TypeVar

from .annotations import annotate
from .render.source import Source, Untranslatable, callees, source
from .rules import where

# Any below: a function of a specification, of any signature.
V = TypeVar("V")
#: The name of the marks in the globals of a copy.
NAME = "__marks__"
#: The most characters of a point's source that a report shows.
MOST_SHOWN = 60


class Point(NamedTuple):
    """A part that must be reached; `kind` is empty for a second condition on the point before.

    `never` reports that it was not, with file and line.  `after`: the point without which it is not reported.
    """

    kind: str
    never: str
    after: int | None


@dataclass
class Marks:
    """The points, and the numbers of those that were reached."""

    points: list[Point] = field(default_factory=list)
    reached: set[int] = field(default_factory=set)

    def add(self, kind: str, never: str, after: int | None = None) -> int:
        """The number of a new point."""
        self.points.append(Point(kind, never, after))
        return len(self.points) - 1

    def missed(self) -> list[str]:
        """The reports of the points that were not reached, except those that follow from another."""
        return [
            point.never
            for number, point in enumerate(self.points)
            if number not in self.reached and (point.after is None or point.after in self.reached)
        ]

    # The copies call these, with the number of a point.

    def see(self, number: int, value: V) -> V:
        """The point is reached."""
        self.reached.add(number)
        return value

    def true(self, number: int, value: V) -> V:
        """The point is reached; if the value is true, the next one too."""
        self.reached.add(number)
        if value:
            self.reached.add(number + 1)
        return value

    def change(self, number: int, s: object, t: V) -> V:
        """The point is reached; if t is another state than s, the next one too."""
        self.reached.add(number)
        if number + 1 not in self.reached and t != s:
            self.reached.add(number + 1)
        return t

    def see_each(self, number: int, values: Iterable[V]) -> Iterator[V]:
        return (self.see(number, value) for value in values)

    def change_each(self, number: int, s: object, values: Iterable[V]) -> Iterator[V]:
        return (self.change(number, s, t) for t in values)


class Marker(ast.NodeTransformer):
    """Puts marks into the syntax tree of one function.

    `state`: the name of an action's state, which each of its yields must change; empty for other functions.
    `after`: the point that the function runs at all.
    """

    def __init__(self, marks: Marks, read: Source, state: str, after: int | None) -> None:
        self.marks, self.state, self.after = marks, state, after
        self.name, self.path = read.fn.__name__, where(read.fn)[0]
        self.branches = sum(isinstance(node, ast.Return) for node in ast.walk(read.tree)) > 1

    def point(self, kind: str, node: ast.expr, never: str, after: int | None = None) -> int:
        text = ast.unparse(node)
        shown = text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."
        line = f"{self.path}:{node.lineno}: {self.name}: `{shown}` {never}"
        return self.marks.add(kind, line, self.after if after is None else after)

    def call(self, mark: str, number: int, *values: ast.expr) -> ast.expr:
        """A call of that mark, around the last of the values, with marks inside."""
        inner: ast.expr = self.visit(values[-1])
        of = ast.Attribute(ast.Name(NAME, ast.Load()), mark, ast.Load())
        return ast.copy_location(ast.Call(of, [ast.Constant(number), *values[:-1], inner], []), values[-1])

    def seen(self, kind: str, value: ast.expr, never: str) -> ast.expr:
        if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or):
            inner: ast.expr = self.visit(value)  # its first operand is reached when it is
            return inner
        return self.call("see", self.point(kind, value, never), value)

    def given(self, value: ast.expr, each: str) -> ast.expr:
        """The value of a `yield` or, with `each`, of a `yield from`."""
        number = self.point("yield", value, "is never yielded")
        if not self.state or is_name(value, self.state):
            return self.call("see" + each, number, value)
        self.point("", value, "never changes the state", number)
        return self.call("change" + each, number, ast.Name(self.state, ast.Load()), value)

    # NodeVisitor looks for these names.

    def visit_Yield(self, node: ast.Yield) -> ast.expr:
        node.value = self.given(node.value or ast.Constant(None, lineno=node.lineno), "")
        return node

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        node.value = self.given(node.value, "_each")
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        if isinstance(node.op, ast.And):
            self.generic_visit(node)
            return node
        for i, value in enumerate(node.values):
            number = self.point("operand", value, "is never evaluated")
            self.point("", value, "is never true", number)
            node.values[i] = self.call("true", number, value)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node.test = self.visit(node.test)
        node.body = self.seen("branch", node.body, "is never chosen")
        node.orelse = self.seen("branch", node.orelse, "is never chosen")
        return node

    def visit_Return(self, node: ast.Return) -> ast.stmt:
        if node.value is not None:
            many = self.branches
            node.value = self.seen("branch", node.value, "is never returned") if many else self.visit(node.value)
        return node

    def _body(self, node: Any) -> ast.expr:  # Any: one of the comprehensions that have an `elt`
        node.generators = [self.visit(generator) for generator in node.generators]
        node.elt = self.seen("body", node.elt, "is never evaluated: nothing is left to range over")
        assert isinstance(node, ast.expr)
        return node

    visit_GeneratorExp = visit_SetComp = visit_ListComp = _body  # noqa: N815

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        node.generators = [self.visit(generator) for generator in node.generators]
        node.key = self.visit(node.key)
        node.value = self.seen("body", node.value, "is never evaluated: nothing is left to range over")
        return node


def is_name(node: ast.expr | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


class Copies:
    """Marked copies of those functions that are `mine`, and of the helpers that they call.

    `unread`: the errors for those without a source that can be found; they stay as they are.
    """

    def __init__(self, marks: Marks, mine: Callable[[Callable[..., Any]], bool]) -> None:
        self.marks, self.mine = marks, mine
        self.made: dict[FunctionType, FunctionType] = {}
        self.unread: list[str] = []

    def of(self, fn: Callable[..., Any], *, state: str = "", after: int | None = None) -> Callable[..., Any]:
        """The copy of a function; `state` and `after` as for `Marker`."""
        if not isinstance(fn, FunctionType) or not self.mine(fn):
            return fn
        if fn not in self.made:
            try:
                self._make(fn, state, after)
            except Untranslatable as error:
                self.unread.append(str(error))
                self.made[fn] = fn
        return self.made[fn]

    def _make(self, fn: FunctionType, state: str, after: int | None) -> None:
        read = source(fn)
        tree = copy.deepcopy(read.tree)
        tree.decorator_list, tree.returns = [], None
        for arg in ast.walk(tree.args):
            if isinstance(arg, ast.arg):
                arg.annotation = None  # it need not be evaluated again: the copy gets those of the original
        tree.args.defaults, tree.args.kw_defaults = [], [None] * len(tree.args.kwonlyargs)
        Marker(self.marks, read, state, after).visit(tree)
        module = ast.fix_missing_locations(ast.Module([tree], []))
        space = names_of(fn)
        defined = dict(space)
        exec(compile(module, fn.__code__.co_filename, "exec", dont_inherit=True), space)
        made: FunctionType = space[tree.name]
        made.__defaults__, made.__kwdefaults__ = fn.__defaults__, fn.__kwdefaults__
        annotate(made, fn.__annotations__)
        self.made[fn] = made  # before its helpers, which may call it
        for helper in callees(fn):
            self.of(helper)
        space.update({name: self._instead(value) for name, value in defined.items()})
        space[NAME] = self.marks

    def _instead(self, value: object) -> object:
        """The replacement of a global: a copy for a function, for a module a namespace with copies."""
        if isinstance(value, FunctionType):
            return self.made.get(value, value)
        if isinstance(value, ModuleType):
            functions = {name: of for name, of in vars(value).items() if isinstance(of, FunctionType)}
            copies = {name: self.made[of] for name, of in functions.items() if of in self.made}
            return SimpleNamespace(**(vars(value) | copies)) if copies else value
        return value


def names_of(fn: FunctionType) -> dict[str, Any]:
    """The globals of a function and the variables it closes over, by name."""
    cells = zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True)
    return fn.__globals__ | {name: cell.cell_contents for name, cell in cells}
