"""The subset of Python that specifications keep to, so that readers other than Python can follow them.

A reader (the document, a translator into logic) begins at the functions that are registered and continues with the
helpers that they call.  It meets only this:

    action, helper generator   any of:  name = value
                                        if value: ...  elif value: ...  else: ...
                                        for name in value: ...         for name in a helper generator(...): ...
                                        yield value                    yield from a helper generator(...)
    property, helper function  name = value, `if` as above, and a return on every branch
    value                      a number, True, False; a name; k.field, s.field; Enum.MEMBER
                               and, or, not; == != < <= > >= in, not in, also in chains; a if c else b
                               all, any, sum over a generator; max, min of two or more
                               numbers: + and -;  tuples: (x, y), +, [:1], [1:], len
                               sets and maps: m[key], and | and - with a display or a comprehension on the right;
                               frozenset of a display or of nothing
                               replace(s, field=value, ...); State(field=value, ...); a helper function(...)

A name gets one value where it is visible, and has no other meaning there.  The constants are called k, and parameters
have types.  Helpers take their arguments by position and do not call themselves.  The results of actions (`answer=`)
keep to the subset, too.

A helper that would turn ugly may opt out: `Spec(..., opaque={name: reason})`.  Then no reader reads it, or the helpers
that it calls.  `outside` finds code that leaves the subset, and helpers that opt out in vain.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Iterable, Iterator
from enum import EnumMeta
from types import FunctionType
from typing import Any

from ..core import Spec
from .source import EXTREMES, KNOWN, QUANTIFIERS, Source, Untranslatable, at, callees, helpers, roots, source

DISPLAYS = (ast.Set, ast.Dict, ast.SetComp, ast.DictComp)
COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)

#: For syntax that is often met outside the subset, why it is outside, and its replacement.
WHY: dict[type[ast.AST], str] = {
    ast.While: "a loop: write a quantifier, or a helper that opts out",
    ast.For: "a loop outside a generator: write all, any or sum",
    ast.Try: "an exception is not a state: write the condition as an if",
    ast.Raise: "an exception is not a state: write the condition as an if",
    ast.With: "nothing is entered or left: write what is inside",
    ast.Assert: "a check inside a rule: make it an invariant",
    ast.AugAssign: "nothing changes: give the new value a name of its own",
    ast.Delete: "nothing changes: leave it out",
    ast.Return: "a return in a generator: write else",
    ast.Lambda: "a function without a name: write a helper",
    ast.FunctionDef: "a function inside a function: write a helper",
    ast.JoinedStr: "a string is not a value: write a member of an enum",
    ast.List: "a list can change: write a tuple",
    ast.ListComp: "a list can change: write a set or a quantifier",
    ast.GeneratorExp: "a generator that no all, any or sum takes: write one of them around it",
    ast.NamedExpr: "a name within a value: give it a name in a line of its own",
    ast.Starred: "elements that are not written out: write the elements",
    ast.Yield: "a yield is a statement of its own: write it in a line of its own",
    ast.YieldFrom: "a yield is a statement of its own: write it in a line of its own",
}
#: For other values that are outside, or that a translator does not read, their replacement.
INSTEAD: dict[type[ast.AST], str] = {
    ast.Constant: "write a number, True or False; for a word, a member of an enum",
    ast.BinOp: "write + and -, or a sum over a set; of sets, | and -",
    ast.UnaryOp: "write not or -",
    ast.Attribute: "give the record a name, then write name.field",
}


def instead(node: ast.AST) -> str:
    """The replacement of a value."""
    return INSTEAD.get(type(node), "write a helper, and let it opt out: Spec(..., opaque={name: reason})")


OTHER_STATEMENT = "such a statement is outside the subset: write if, for, yield, return, or name = value"
ON_THE_RIGHT = "only a display or a comprehension may be on the right of |: write {x}, or {x for x in ...}"
PARTS = "of a tuple only [:1] and [1:] are taken: write these, or a helper that opts out"
#: How functions with a meaning of their own are called.
FORMS = "write all(... for ...), max(a, b), len(x), frozenset({...}), replace(s, field=...), State(field=...)"

Scope = frozenset[str]


def outside(spec: Spec[Any, Any]) -> list[Untranslatable]:
    """The errors in the functions that `spec` registers and their helpers, and the names that opt out in vain."""
    try:
        begin, called = roots(spec), helpers(spec)
    except Untranslatable as error:
        return [error]
    clear = [fn for fn in called if fn.__name__ not in spec.opaque]
    found = [
        at(fn, "its first parameter, the constants, must be called k: rename it")
        for fn in begin
        if fn.__code__.co_varnames[:1] != ("k",)
    ]
    found += [bad for fn in dict.fromkeys([*begin, *clear]) for bad in SubsetReader(source(fn)).read()]
    found += [
        at(fn, "a helper that calls itself: let it opt out, Spec(..., opaque={name: reason})")
        for fn in clear
        if fn in _reached(fn, spec.opaque)
    ]
    inherited = spec.extends.opaque if spec.extends else {}
    names = {fn.__name__ for fn in called}
    found += [
        Untranslatable(f"{spec.name}: {name} is opaque, but no rule calls a helper of that name: leave it out")
        for name in spec.opaque
        if name not in names and name not in inherited
    ]
    return found


def _reached(fn: FunctionType, opaque: Iterable[str]) -> dict[FunctionType, None]:
    """The helpers that a helper calls, those that they call, and so on."""
    found = dict.fromkeys(callees(fn))
    todo = list(found)
    while todo:
        at = todo.pop()
        new = [] if at.__name__ in opaque else [helper for helper in callees(at) if helper not in found]
        found.update(dict.fromkeys(new))
        todo += new
    return found


class SubsetReader:
    """Reads one function, and finds foreign syntax.  A scope is the set of names that have a value there."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.bad = source.bad

    def read(self) -> Iterator[Untranslatable]:
        a = self.source.tree.args
        if a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs or a.defaults:
            yield self.bad(
                self.source.tree.args.args[0] if a.args else self.source.tree,
                "only plain parameters: write names and types",
            )
        elif untyped := [arg for arg in a.args if arg.arg not in self.source.fn.__annotations__]:
            yield self.bad(untyped[0], "a parameter without a type: annotate it")
        scope = frozenset(arg.arg for arg in a.args)
        yield from (self.block if self.source.generates else self.branch)(self.source.body, scope)

    # --- statements ----------------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt], scope: Scope) -> Iterator[Untranslatable]:
        """The statements of a generator: each yields its successors."""
        for statement in body:
            match statement:
                case ast.If(test=test, body=then, orelse=other):
                    yield from self.value(test, scope)
                    yield from self.block(then, scope)
                    yield from self.block(other, scope)
                case ast.For(orelse=[_, *_]):
                    yield self.bad(statement, "a loop has no else: write an if after it")
                case ast.For(target=target, iter=domain, body=inner):
                    yield from self.domain(domain, scope)
                    yield from self.bind(target, scope)
                    yield from self.block(inner, scope | names(target))
                case ast.Expr(value=ast.Yield(value=ast.expr() as value)):
                    yield from self.value(value, scope)
                case ast.Expr(value=ast.YieldFrom(value=value)):
                    if not self.generator(value):
                        yield self.bad(value, "not a helper generator: write for x in ...: yield ...")
                    yield from self.domain(value, scope)
                case _:
                    yield from self.given(statement, scope)
                    scope |= names(statement)

    def branch(self, body: list[ast.stmt], scope: Scope) -> Iterator[Untranslatable]:
        """The statements of a function: every path through them ends with a return."""
        for statement in body[:-1]:
            match statement:
                case ast.If(test=test, body=then, orelse=[]):
                    yield from self.value(test, scope)
                    yield from self.branch(then, scope)
                case ast.If() | ast.Return():
                    yield self.bad(statement, "nothing after it is reached on every branch: leave that out")
                case _:
                    yield from self.given(statement, scope)
                    scope |= names(statement)
        match body[-1:]:
            case [ast.Return(value=ast.expr() as value)]:
                yield from self.value(value, scope)
            case [ast.If(test=test, body=then, orelse=[_, *_] as other)]:
                yield from self.value(test, scope)
                yield from self.branch(then, scope)
                yield from self.branch(other, scope)
            case [ast.If() | ast.Assign() | ast.Return() | ast.Pass() as last]:
                yield self.bad(last, "a branch without a value to return: end it with return and a value")
            case [last]:
                yield from self.given(last, scope)
            case _:
                yield self.bad(self.source.tree, "it returns nothing: end it with return and a value")

    def given(self, statement: ast.stmt, scope: Scope) -> Iterator[Untranslatable]:
        """A name is given a value; anything else is outside."""
        match statement:
            case ast.Assign(targets=[ast.Name() as target], value=value):
                yield from self.value(value, scope)
                yield from self.bind(target, scope)
            case ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value):
                yield from self.value(value, scope)
                yield from self.bind(target, scope)
            case ast.Assign() | ast.AnnAssign():
                yield self.bad(statement, "nothing changes: give a name a value, and write replace(s, field=value)")
            case ast.Expr(value=value):
                yield self.bad(value, "nothing changes: yield it or return it, or leave it out")
            case _:
                yield self.bad(statement, WHY.get(type(statement), OTHER_STATEMENT))

    def bind(self, target: ast.expr, scope: Scope) -> Iterator[Untranslatable]:
        """A name begins to stand for something."""
        match target:
            case ast.Name(id=name):
                if name in scope:
                    yield self.bad(target, "the name has a value already: take another")
            case ast.Tuple(elts=parts) if all(isinstance(part, ast.Name) for part in parts):
                for part in parts:
                    yield from self.bind(part, scope)
            case _:
                yield self.bad(target, "only names are given a value: write x, or x, y")

    # --- values --------------------------------------------------------------------------------------------

    def generator(self, node: ast.expr) -> bool:
        helper = self.source.helper(node)
        return helper is not None and inspect.isgeneratorfunction(helper)

    def domain(self, node: ast.expr, scope: Scope) -> Iterator[Untranslatable]:
        """The range of a `for`: a value, or the states of a helper generator."""
        if self.generator(node) and isinstance(node, ast.Call):
            yield from self.arguments(node, scope)
        else:
            yield from self.value(node, scope)

    def value(self, node: ast.expr, scope: Scope, *, change: bool = False) -> Iterator[Untranslatable]:
        """`change`: the value is on the right of | or -, or in frozenset(...), where a display is allowed."""
        match node:
            case ast.Constant(value=bool() | int()):
                pass
            case ast.Name(id=name):
                if name not in scope:
                    yield self.bad(node, "a name that has no value here: make it a field of the constants")
            case ast.Attribute(value=ast.Name(id=name)) if name in scope:
                pass
            case ast.Attribute(value=of, attr=name) if isinstance(enum := self.source.resolve(of), EnumMeta):
                if name not in enum.__members__:
                    yield self.bad(
                        node,
                        f"{enum.__name__} has no such member: write one of {', '.join(enum.__members__)}",
                    )
            case ast.BoolOp(values=parts) | ast.Tuple(elts=parts):
                yield from self.values(parts, scope)
            case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=part):
                yield from self.value(part, scope)
            case ast.Compare(left=left, ops=ops, comparators=rest):
                if not all(isinstance(op, COMPARISONS) for op in ops):
                    yield self.bad(node, "`is` compares objects: compare values, with == or !=")
                yield from self.values([left, *rest], scope)
            case ast.IfExp(test=test, body=then, orelse=other):
                yield from self.value(test, scope)
                yield from self.value(then, scope, change=change)
                yield from self.value(other, scope, change=change)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.BitOr() as op, right=right):
                yield from self.value(left, scope)
                yield from self.value(right, scope, change=not isinstance(op, ast.Add))
                if isinstance(op, ast.BitOr) and not self.display(right):
                    yield self.bad(node, ON_THE_RIGHT)
            case ast.Subscript(value=of, slice=ast.Slice() as part):
                if slice_of(part) is None:
                    yield self.bad(node, PARTS)
                yield from self.value(of, scope)
            case ast.Subscript(value=of, slice=key):
                yield from self.values([of, key], scope)
            case ast.Call():
                yield from self.call(node, scope)
            case ast.Set() | ast.Dict() | ast.SetComp() | ast.DictComp():
                if not change:
                    yield self.bad(
                        node,
                        "it can change: only | and - and frozenset take it: write frozenset(...), or a tuple",
                    )
                yield from self.contents(node, scope)
            case _:
                why = WHY.get(type(node)) or f"such a value is outside the subset: {instead(node)}"
                yield self.bad(node, why)

    def values(self, nodes: Iterable[ast.expr], scope: Scope) -> Iterator[Untranslatable]:
        for node in nodes:
            yield from self.value(node, scope)

    def display(self, node: ast.expr) -> bool:
        if isinstance(node, ast.IfExp):
            return self.display(node.body) and self.display(node.orelse)
        return isinstance(node, DISPLAYS)

    def contents(self, node: ast.expr, scope: Scope) -> Iterator[Untranslatable]:
        """The elements of a display or a comprehension."""
        match node:
            case ast.Set(elts=parts):
                yield from self.values(parts, scope)
            case ast.Dict(keys=keys, values=parts):
                for key in keys:
                    if key is None:
                        yield self.bad(node, WHY[ast.Starred])
                    else:
                        yield from self.value(key, scope)
                yield from self.values(parts, scope)
            case ast.SetComp(elt=elt, generators=generators) | ast.GeneratorExp(elt=elt, generators=generators):
                yield from self.comprehension(generators, [elt], scope)
            case ast.DictComp(key=key, value=value, generators=generators):
                yield from self.comprehension(generators, [key, value], scope)

    def comprehension(
        self, generators: list[ast.comprehension], parts: list[ast.expr], scope: Scope
    ) -> Iterator[Untranslatable]:
        for generator in generators:
            yield from self.value(generator.iter, scope)
            yield from self.bind(generator.target, scope)
            scope |= names(generator.target)
            yield from self.values(generator.ifs, scope)
        yield from self.values(parts, scope)

    def call(self, node: ast.Call, scope: Scope) -> Iterator[Untranslatable]:
        """A call of a helper, or of a function that the subset has."""
        called = self.source.resolve(node.func)
        match node.args:
            case _ if isinstance(node.func, ast.Name) and node.func.id in scope:
                yield self.bad(node, "a variable is called: write a helper, a function of a module")
            case _ if called in EXTREMES and len(node.args) > 1 and not node.keywords:
                yield from self.values(node.args, scope)
            case [ast.GeneratorExp() as generator] if called in QUANTIFIERS and not node.keywords:
                yield from self.contents(generator, scope)
            case [part] if called is len and not node.keywords:
                yield from self.value(part, scope)
            case [] if called is frozenset:
                pass
            case [part] if called is frozenset and self.display(part):
                yield from self.value(part, scope, change=True)
            case [state] if called is dataclasses.replace and all(word.arg for word in node.keywords):
                yield from self.values([state, *(word.value for word in node.keywords)], scope)
            case [] if self.source.makes_state(node) and all(word.arg for word in node.keywords):
                yield from self.values([word.value for word in node.keywords], scope)
            case _ if called in KNOWN or self.source.makes_state(node):
                yield self.bad(node, "not with these arguments: " + FORMS)
            case _ if self.generator(node):
                yield self.bad(node, "a helper generator is not a value: write for or yield from")
            case _ if self.source.helper(node):
                yield from self.arguments(node, scope)
            case _:
                yield self.bad(node, "the function called is not a helper: write one, a function of a module")

    def arguments(self, node: ast.Call, scope: Scope) -> Iterator[Untranslatable]:
        if node.keywords:
            yield self.bad(node, "helpers take their arguments by position: leave the names out")
        yield from self.values(node.args, scope)


def names(node: ast.AST) -> Scope:
    """The names that a target, or an assignment to one, binds."""
    match node:
        case ast.Name(id=name):
            return frozenset({name})
        case ast.Tuple(elts=parts) | ast.Assign(targets=parts):
            return frozenset(name for part in parts for name in names(part))
        case ast.AnnAssign(target=target):
            return names(target)
    return frozenset()


def slice_of(part: ast.Slice) -> str | None:
    """Which part of a tuple is taken: "first" for [:1], "rest" for [1:]; None: another."""
    match part:
        case ast.Slice(lower=None, upper=ast.Constant(value=1), step=None):
            return "first"
        case ast.Slice(lower=ast.Constant(value=1), upper=None, step=None):
            return "rest"
    return None
