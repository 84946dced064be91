"""Read expressions of the subset into terms, in an environment that has the value of each name.

`all` and `any` over a set become quantifiers; over a display, or a sort that is written out, conjunctions.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import itertools
from collections.abc import Callable, Iterator, Sequence
from enum import EnumMeta
from typing import Any, NamedTuple, Protocol, TypeAlias

from ..render.source import EXTREMES, Source, Untranslatable
from ..render.subset import ON_THE_RIGHT, PARTS, instead, slice_of
from . import solver as z
from .operations import FIRST, REST, apply
from .sorts import FEW_ITEMS, Sorts
from .sums import Sums
from .values import EMPTY, Fun, Rec, Unreadable, Value, contains, eq, ite, kind, truth

Env: TypeAlias = dict[str, Value]


class Context(Protocol):
    """The state that the expressions of all functions share; `bound`: the variables of the quantifiers around."""

    sorts: Sorts
    sums: Sums
    bound: list[z.Term]

    def call(self, fn: Any, values: Sequence[Value]) -> Value:  # Any: a function of any signature
        """The result of a helper."""

    def depends(self, term: z.Term) -> bool:
        """Whether a term depends on a variable that is bound."""


class Element(NamedTuple):
    """An element of a domain, the condition that it is one, and the fresh variables that it is made of."""

    value: Value
    member: z.Term
    fresh: tuple[z.Term, ...]


class Expressions:
    """Reads the expressions of one function."""

    def __init__(self, reader: Context, source: Source) -> None:
        self.reader, self.source = reader, source

    # --- sets and quantifiers ------------------------------------------------------------------------------

    def elements(self, node: ast.expr, env: Env, *, write_out: bool) -> list[Element]:
        """The elements of a domain.

        Of a display these are all; of a set all that its sort has, if they are to be written out, or a fresh one.
        """
        domain = self.value(node, env)
        if isinstance(domain, Fun) and not domain.keys:
            return []
        if isinstance(domain, tuple):
            return [Element(x, z.truth(True), ()) for x in domain]
        if kind(domain) == "set" and write_out and (points := self.reader.sorts.points(domain.keys)):
            return [Element(x, domain.at(x), ()) for x in points]
        if z.is_sequence(domain) and write_out and self.reader.sorts.few:
            places = range(2 * FEW_ITEMS)  # an expression joins two at most
            return [Element(z.item(domain, n), z.length(domain) > n, ()) for n in places]
        if kind(domain) in ("set", "sequence"):
            x = z.fresh(domain.keys if isinstance(domain, Fun) else [domain.sort().basis()])
            return [Element(x, contains(domain, x), z.parts(x))]
        raise self.source.bad(node, "not read as a domain: range over a set or a tuple of the state or the constants")

    def combinations(
        self, generators: Sequence[ast.comprehension], env: Env
    ) -> Iterator[tuple[list[z.Term], list[z.Term], Env]]:
        """The combinations of elements in the order of the generators: new variables, conditions, environment."""
        if not generators:
            yield [], [], env
            return
        first, *others = generators
        for x, member, fresh in self.elements(first.iter, env, write_out=True):
            inner = bind(first.target, x, env)
            with Bound(self.reader.bound, fresh):
                conditions = [member, *(self.condition(each, inner) for each in first.ifs)]
                for more, rest, last in self.combinations(others, inner):
                    yield [*fresh, *more], [*conditions, *rest], last

    def quantified(self, generator: ast.GeneratorExp, env: Env, *, every: bool) -> z.Term:
        """all(...) or any(...)."""
        terms = []
        for variables, conditions, inner in self.combinations(generator.generators, env):
            body, where = self.condition(generator.elt, inner), z.both(*conditions)
            terms.append(
                z.forall(variables, z.implies(where, body)) if every else z.exists(variables, z.both(where, body))
            )
        return z.both(*terms) if every else z.either(*terms)

    def summed(self, generator: ast.GeneratorExp, env: Env) -> z.Term:
        """sum(...) over one set."""
        clause, *others = generator.generators
        domain = self.value(clause.iter, env)
        if kind(domain) != "set" or others:
            raise self.source.bad(
                generator,
                "a sum over anything but one set is not read: write a set",
            )

        def summand(names: Env) -> Callable[[Value], z.Term]:
            members = self.value(clause.iter, names)

            def at(x: Value) -> z.Term:
                inner = bind(clause.target, x, names)
                conditions = [members.at(x), *(self.condition(each, inner) for each in clause.ifs)]
                return z.choose(z.both(*conditions), self.number(generator.elt, inner), z.number(0))

            return at

        if self.reader.depends(summand(env)(z.fresh(domain.keys))):
            raise self.source.bad(generator, "a sum that depends on the variable of a quantifier: make it a field")
        names = [node.id for node in ast.walk(generator) if isinstance(node, ast.Name) and node.id in env]
        used = {name: env[name] for name in dict.fromkeys(names)}
        place = self.source.fn.__module__, written(generator, list(used))
        return self.reader.sums.total(place, domain.keys, summand, used)

    # --- displays and comprehensions -----------------------------------------------------------------------

    def changed(self, old: Value, node: ast.expr, env: Env, *, add: bool) -> Fun:
        """`old | node` or, without `add`, `old - node`; of a set, or of a map where something is added."""
        match node:
            case ast.IfExp(test=test, body=then, orelse=other):
                condition = self.condition(test, env)
                a, b = (self.changed(old, each, env, add=add) for each in (then, other))
                return ite(condition, a, b)  # type: ignore[no-any-return]
            case ast.Set() | ast.SetComp() if kind(old) != "set":
                raise Unreadable(f"a {kind(old)} with a set: write a set | a set, or a map | a map")
            case ast.Dict() | ast.DictComp() if kind(old) != "map" or not add:
                raise Unreadable(f"a {kind(old)} with a map: write a set | a set, or a map | a map")
            case ast.Set(elts=keys):
                points = [(self.value(key, env), z.truth(add)) for key in keys]
            case ast.Dict(keys=keys, values=values):
                points = [
                    (self.value(k, env), self.value(v, env)) for k, v in zip(keys, values, strict=True) if k is not None
                ]
            case ast.SetComp(elt=key, generators=generators):
                return self.comprehended(old, key, generators, env, lambda names: z.truth(add))
            case ast.DictComp(key=key, value=value, generators=generators):
                return self.comprehended(old, key, generators, env, lambda names: self.value(value, names))
            case _:
                raise self.source.bad(node, ON_THE_RIGHT)
        sorts = old.keys or tuple(part.sort() for part in z.parts(points[0][0]))
        return self.tried(dataclasses.replace(old, keys=sorts).at_points(points))

    def tried(self, of: Fun) -> Fun:
        """The same, after it was read at some key: so an error in it is found where it is written."""
        of.at(z.joined([z.constant(f"@key {n}", each) for n, each in enumerate(of.keys)]))
        return of

    def comprehended(
        self,
        old: Fun,
        key: ast.expr,
        generators: Sequence[ast.comprehension],
        env: Env,
        value: Callable[[Env], Value],
    ) -> Fun:
        """`old`, but with this value at the keys of a comprehension.

        A name that is a part of the key has its value from there; other variables exist or do not.
        """
        parts = key.elts if isinstance(key, ast.Tuple) else [key]
        if isinstance(key, ast.Tuple) and len(parts) < 2:
            raise Unreadable("a tuple of one element: write the element")
        names = {n for g in generators for n in names_of(g.target)}

        def at(x: Value) -> Value:
            known: Env = {}
            equalities = []
            for part, y in zip(parts, z.parts(x), strict=True):
                if isinstance(part, ast.Name) and part.id in names and part.id not in known:
                    known[part.id] = y
                else:
                    equalities.append((part, y))
            result = old.at(x)
            for variables, conditions, inner in self.matching(generators, env, known):
                hit = z.both(*conditions, *(eq(self.value(part, inner), y) for part, y in equalities))
                new = value(inner)
                if variables and not (z.is_term(new) and new.sort() == z.BOOL):
                    raise self.source.bad(key, "a key without its variables: write {x: ... for x in ...}")
                result = ite(z.exists(variables, hit), new, result)
            return result

        sorts = old.keys or tuple(self.key_sorts(parts, generators, env))
        return self.tried(dataclasses.replace(old, keys=sorts, at=at))

    def matching(
        self, generators: Sequence[ast.comprehension], env: Env, known: Env
    ) -> Iterator[tuple[list[z.Term], list[z.Term], Env]]:
        """As `combinations`, but the names that are known have those values."""
        if not generators:
            yield [], [], env
            return
        first, *others = generators
        here = names_of(first.target)
        if all(name in known for name in here):
            x = known[here[0]] if isinstance(first.target, ast.Name) else tuple(known[name] for name in here)
            choices = [Element(x, contains(self.value(first.iter, env), x), ())]
        else:
            choices = self.elements(first.iter, env, write_out=True)
        for x, member, fresh in choices:
            inner = bind(first.target, x, env)
            same = [eq(inner[name], known[name]) for name in here if name in known]
            with Bound(self.reader.bound, fresh):
                conditions = [member, *same, *(self.condition(each, inner) for each in first.ifs)]
                for more, rest, last in self.matching(others, inner, known):
                    yield [*fresh, *more], [*conditions, *rest], last

    def key_sorts(
        self, parts: Sequence[ast.expr], generators: Sequence[ast.comprehension], env: Env
    ) -> Iterator[z.Sort]:
        for _, _, inner in self.combinations(generators, env):
            yield from (self.value(part, inner).sort() for part in parts)
            return

    # --- values --------------------------------------------------------------------------------------------

    def value(self, node: ast.expr, env: Env) -> Value:
        """The value of an expression.  Raises Untranslatable for one that is not read, for any reason."""
        try:
            return self._value(node, env)
        except Untranslatable:
            raise
        except Unreadable as error:
            raise self.source.bad(node, str(error)) from error
        except Exception as error:  # of Z3, or of a value that has no such part
            raise self.source.bad(node, f"it cannot be read ({error!r}): {instead(node)}") from error

    def condition(self, node: ast.expr, env: Env) -> z.Term:
        """The value of a condition."""
        try:
            return truth(self.value(node, env))
        except Unreadable as error:
            raise self.source.bad(node, str(error)) from error

    def number(self, node: ast.expr, env: Env) -> z.Term:
        """The value of a number, or of a truth value that is counted."""
        found = z.as_number(self.value(node, env))
        if kind(found) != "number":
            raise self.source.bad(node, f"a {kind(found)} is no number: write a number")
        return found

    def _value(self, node: ast.expr, env: Env) -> Value:
        match node:
            case ast.Constant(value=bool() as value):
                return z.truth(value)
            case ast.Constant(value=int() as value):
                return z.number(value)
            case ast.Name(id=name) if name in env:
                return env[name]
            case ast.Attribute(value=of, attr=name) if isinstance(enum := self.named(of, env), EnumMeta):
                return self.reader.sorts.literal(enum, enum[name])
            case ast.Attribute(value=of, attr=name) if isinstance(record := self.value(of, env), Rec):
                return record.field(name)
            case ast.Tuple(elts=parts):
                return tuple(self.value(part, env) for part in parts)
            case ast.BoolOp(op=ast.And(), values=parts):
                return z.both(*(self.condition(part, env) for part in parts))
            case ast.BoolOp(op=ast.Or(), values=parts):
                return z.either(*(self.condition(part, env) for part in parts))
            case ast.UnaryOp(op=op, operand=part):
                return apply(type(op), self.value(part, env))
            case ast.IfExp(test=test, body=then, orelse=other):
                return ite(self.condition(test, env), self.value(then, env), self.value(other, env))
            case ast.Compare(left=left, ops=ops, comparators=right):
                sides = [self.value(side, env) for side in (left, *right)]
                compared = zip(ops, itertools.pairwise(sides), strict=True)
                return z.both(*(apply(type(op), a, b) for op, (a, b) in compared))
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self.changed(self.value(left, env), right, env, add=True)
            case ast.BinOp(left=left, op=ast.Sub(), right=ast.Set() | ast.SetComp() | ast.IfExp() as right):
                minuend = self.value(left, env)
                if isinstance(minuend, Fun):
                    return self.changed(minuend, right, env, add=False)
                return apply(ast.Sub, minuend, self.value(right, env))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                return apply(type(op), self.value(left, env), self.value(right, env))
            case ast.Subscript(value=of, slice=ast.Slice() as part):
                if (which := slice_of(part)) is None:
                    raise self.source.bad(node, PARTS)
                return apply(FIRST if which == "first" else REST, self.value(of, env))
            case ast.Subscript(value=of, slice=key):
                return apply(ast.Subscript, self.value(of, env), self.value(key, env))
            case ast.Call():
                return self.called(node, env)
        raise self.source.bad(node, f"such a value is not read: {instead(node)}")

    def named(self, node: ast.expr, env: Env) -> object:
        """The meaning of a name that is not in the environment."""
        return None if isinstance(node, ast.Name) and node.id in env else self.source.resolve(node)

    def called(self, node: ast.Call, env: Env) -> Value:
        """The value of a call."""
        called = self.named(node.func, env)
        match node.args:
            case [ast.GeneratorExp() as generator] if called in (all, any):
                return self.quantified(generator, env, every=called is all)
            case [ast.GeneratorExp() as generator] if called is sum:
                return self.summed(generator, env)
            case [part] if called is len:
                of = self.value(part, env)
                if not isinstance(of, tuple) and not z.is_sequence(of):
                    raise self.source.bad(node, f"the size of a {kind(of)} is not read: write a sum")
                return z.number(len(of)) if isinstance(of, tuple) else z.length(of)
            case [first, *others] if called in EXTREMES and others and not node.keywords:
                found = self.number(first, env)
                for each in (self.number(other, env) for other in others):
                    found = z.choose(each > found if called is max else each < found, each, found)
                return found
            case [] if called is frozenset:
                return EMPTY
            case [part] if called is frozenset:
                return self.changed(EMPTY, part, env, add=True)
            case [part] if called is dataclasses.replace and isinstance(of := self.value(part, env), Rec):
                return of.replace(self.keywords(node, env))
            case [] if isinstance(called, type) and self.source.makes_state(node):
                like, given = self.reader.sorts.constant(called, "like"), self.keywords(node, env)
                if lacking := [name for name in like.fields if name not in given]:
                    raise self.source.bad(node, f"it does not say what {lacking[0]} is: write every field")
                return like.replace(given)
        if called is not None and (helper := self.source.helper(node)) is not None:
            if node.keywords or len(node.args) != helper.__code__.co_argcount:
                raise self.source.bad(
                    node,
                    "an argument is missing or has a name: write every argument of a helper, by its position",
                )
            return self.reader.call(helper, [self.value(each, env) for each in node.args])
        raise self.source.bad(node, f"such a call is not read: {instead(node)}")

    def keywords(self, node: ast.Call, env: Env) -> Env:
        if any(word.arg is None for word in node.keywords):
            raise self.source.bad(node, "changes that are not written out: write replace(s, field=value)")
        return {word.arg: self.value(word.value, env) for word in node.keywords if word.arg is not None}


class Bound:
    """Adds variables to those that are bound, for as long as it is entered."""

    def __init__(self, bound: list[z.Term], variables: Sequence[z.Term]) -> None:
        self.bound, self.variables = bound, variables

    def __enter__(self) -> None:
        self.bound.extend(self.variables)

    def __exit__(self, *error: object) -> None:
        del self.bound[len(self.bound) - len(self.variables) :]


def written(node: ast.expr, names: Sequence[str]) -> str:
    """An expression as a text; these names are numbered, so that it is the same for other states."""
    numbered = copy.deepcopy(node)
    for name in (each for each in ast.walk(numbered) if isinstance(each, ast.Name) and each.id in names):
        name.id = f"_{names.index(name.id)}"
    return ast.dump(numbered)


def names_of(target: ast.expr) -> list[str]:
    """The names that a target binds, in order."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def bind(target: ast.expr, value: Value, env: Env) -> Env:
    """The environment where a target has that value.  Raises Unreadable for names and parts that do not fit."""
    if isinstance(target, ast.Name):
        return {**env, target.id: value}
    names = names_of(target)
    if not isinstance(value, tuple) or len(names) != len(value):
        raise Unreadable(f"a {kind(value)} is given to {len(names)} names: write one name for each part")
    return {**env, **dict(zip(names, value, strict=True))}
