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

from ..render.source import EXTREMES, Source
from ..render.subset import ON_THE_RIGHT, PARTS, instead, slice_of
from . import solver as z
from .sorts import FEW_ITEMS, Sorts
from .sums import Sums
from .values import EMPTY, Fun, Value, contains, eq, ite

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
        if isinstance(domain, tuple):
            return [Element(x, z.truth(True), ()) for x in domain]
        if isinstance(domain, Fun) and write_out and (points := self.reader.sorts.points(domain.keys)):
            return [Element(x, domain.at(x), ()) for x in points]
        if z.is_sequence(domain) and write_out and self.reader.sorts.few:
            places = range(2 * FEW_ITEMS)  # an expression joins two at most
            return [Element(z.item(domain, n), z.length(domain) > n, ()) for n in places]
        if isinstance(domain, Fun) or z.is_sequence(domain):
            x = z.fresh(domain.keys if isinstance(domain, Fun) else [domain.sort().basis()])
            return [Element(x, contains(domain, x), z.parts(x))]
        raise self.source.bad(
            node, "not read as a domain: range over a set or a tuple of the state or the constants"
        )

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
                conditions = [member, *(self.value(each, inner) for each in first.ifs)]
                for more, rest, last in self.combinations(others, inner):
                    yield [*fresh, *more], [*conditions, *rest], last

    def quantified(self, generator: ast.GeneratorExp, env: Env, *, every: bool) -> z.Term:
        """all(...) or any(...)."""
        terms = []
        for variables, conditions, inner in self.combinations(generator.generators, env):
            body, where = self.value(generator.elt, inner), z.both(*conditions)
            terms.append(
                z.forall(variables, z.implies(where, body))
                if every
                else z.exists(variables, z.both(where, body))
            )
        return z.both(*terms) if every else z.either(*terms)

    def summed(self, generator: ast.GeneratorExp, env: Env) -> z.Term:
        """sum(...) over one set."""
        [clause] = generator.generators
        domain = self.value(clause.iter, env)
        if not isinstance(domain, Fun):
            raise self.source.bad(
                generator,
                "a sum over anything but a set is not read: write a set",
            )

        def summand(names: Env) -> Callable[[Value], z.Term]:
            members = self.value(clause.iter, names)

            def at(x: Value) -> z.Term:
                inner = bind(clause.target, x, names)
                conditions = [members.at(x), *(self.value(each, inner) for each in clause.ifs)]
                return z.choose(z.both(*conditions), self.value(generator.elt, inner), z.number(0))

            return at

        if self.reader.depends(summand(env)(z.fresh(domain.keys))):
            raise self.source.bad(
                generator, "a sum that depends on the variable of a quantifier: make it a field"
            )
        names = [node.id for node in ast.walk(generator) if isinstance(node, ast.Name) and node.id in env]
        used = {name: env[name] for name in dict.fromkeys(names)}
        place = self.source.fn.__module__, written(generator, list(used))
        return self.reader.sums.total(place, domain.keys, summand, used)

    # --- displays and comprehensions -----------------------------------------------------------------------

    def changed(self, old: Fun, node: ast.expr, env: Env, *, add: bool) -> Fun:
        """`old | node` or, without `add`, `old - node`."""
        match node:
            case ast.IfExp(test=test, body=then, orelse=other):
                condition = self.value(test, env)
                a, b = (self.changed(old, each, env, add=add) for each in (then, other))
                return ite(condition, a, b)  # type: ignore[no-any-return]
            case ast.Set(elts=keys):
                points = [(self.value(key, env), z.truth(add)) for key in keys]
            case ast.Dict(keys=keys, values=values):
                points = [
                    (self.value(k, env), self.value(v, env))
                    for k, v in zip(keys, values, strict=True)
                    if k is not None
                ]
            case ast.SetComp(elt=key, generators=generators):
                return self.comprehended(old, key, generators, env, lambda names: z.truth(add))
            case ast.DictComp(key=key, value=value, generators=generators):
                return self.comprehended(old, key, generators, env, lambda names: self.value(value, names))
            case _ if not add:
                other = self.value(node, env)
                return Fun(
                    old.keys or other.keys, lambda x: z.both(old.at(x), z.no(other.at(x))), old.touched
                )
            case _:
                raise self.source.bad(node, ON_THE_RIGHT)
        sorts = old.keys or tuple(part.sort() for part in z.parts(points[0][0]))
        return Fun(sorts, old.at, old.touched).at_points(points)

    def comprehended(
        self,
        old: Fun,
        key: ast.expr,
        generators: Sequence[ast.comprehension],
        env: Env,
        value: Callable[[Env], Value],
    ) -> Fun:
        """`old`, but with this value at the keys of a comprehension.

        A name that is a part of the key is what the key says; other variables exist or do not.
        """
        parts = key.elts if isinstance(key, ast.Tuple) else [key]
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

        return Fun(old.keys or tuple(self.key_sorts(parts, generators, env)), at, old.touched)

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
                conditions = [member, *same, *(self.value(each, inner) for each in first.ifs)]
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
        """The value of an expression."""
        match node:
            case ast.Constant(value=bool() as value):
                return z.truth(value)
            case ast.Constant(value=int() as value):
                return z.number(value)
            case ast.Name(id=name) if name in env:
                return env[name]
            case ast.Attribute(value=of, attr=name) if isinstance(enum := self.named(of, env), EnumMeta):
                return self.reader.sorts.literal(enum, enum[name])
            case ast.Attribute(value=of, attr=name):
                return self.value(of, env).fields[name]
            case ast.Tuple(elts=parts):
                return tuple(self.value(part, env) for part in parts)
            case ast.BoolOp(op=ast.And(), values=parts):
                return z.both(*(self.value(part, env) for part in parts))
            case ast.BoolOp(op=ast.Or(), values=parts):
                return z.either(*(self.value(part, env) for part in parts))
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return z.no(self.value(part, env))
            case ast.UnaryOp(op=ast.USub(), operand=part):
                return -self.value(part, env)
            case ast.IfExp(test=test, body=then, orelse=other):
                return ite(self.value(test, env), self.value(then, env), self.value(other, env))
            case ast.Compare(left=left, ops=ops, comparators=right):
                sides = [self.value(side, env) for side in (left, *right)]
                compared = zip(ops, itertools.pairwise(sides), strict=True)
                return z.both(*(self.comparison(op, a, b) for op, (a, b) in compared))
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self.changed(self.value(left, env), right, env, add=True)
            case ast.BinOp(left=left, op=ast.Sub(), right=right):
                minuend = self.value(left, env)
                if isinstance(minuend, Fun):
                    return self.changed(minuend, right, env, add=False)
                return minuend - self.value(right, env)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return self.joined(self.value(left, env), self.value(right, env))
            case ast.Subscript(value=of, slice=ast.Slice() as part):
                return self.part(node, self.value(of, env), slice_of(part))
            case ast.Subscript(value=of, slice=key):
                return self.value(of, env).at(self.value(key, env))
            case ast.Call():
                return self.called(node, env)
        raise self.source.bad(node, f"such a value is not read: {instead(node)}")

    def named(self, node: ast.expr, env: Env) -> object:
        """The meaning of a name that is not in the environment."""
        return None if isinstance(node, ast.Name) and node.id in env else self.source.resolve(node)

    def joined(self, a: Value, b: Value) -> Value:
        if isinstance(a, tuple) and isinstance(b, tuple):
            return (*a, *b)
        if z.is_sequence(a) or z.is_sequence(b):
            like = a if z.is_sequence(a) else b
            a, b = (z.sequence(x, like.sort()) if isinstance(x, tuple) else x for x in (a, b))
            return z.concat(a, b)
        return a + b

    def part(self, node: ast.expr, of: Value, which: str | None) -> Value:
        match which:
            case "first":
                return z.first(of)
            case "rest":
                return z.rest(of)
        raise self.source.bad(node, PARTS)

    def comparison(self, op: ast.cmpop, a: Value, b: Value) -> z.Term:
        match op:
            case ast.Eq():
                return eq(a, b)
            case ast.NotEq():
                return z.no(eq(a, b))
            case ast.Lt():
                return a < b
            case ast.LtE():
                return a <= b
            case ast.Gt():
                return a > b
            case ast.GtE():
                return a >= b
            case ast.In():
                return contains(b, a)
            case ast.NotIn():
                return z.no(contains(b, a))
        raise self.source.bad(op, f"{type(op).__name__} compares objects: compare values, with == or !=")

    def called(self, node: ast.Call, env: Env) -> Value:
        """The value of a call."""
        called = self.source.resolve(node.func)
        match node.args:
            case [ast.GeneratorExp() as generator] if called in (all, any):
                return self.quantified(generator, env, every=called is all)
            case [ast.GeneratorExp() as generator] if called is sum:
                return self.summed(generator, env)
            case [part] if called is len:
                of = self.value(part, env)
                if isinstance(of, Fun):
                    raise self.source.bad(node, "the size of a set is not read: write a sum")
                return z.number(len(of)) if isinstance(of, tuple) else z.length(of)
            case [first, *others] if called in EXTREMES:
                found = self.value(first, env)
                for each in (self.value(other, env) for other in others):
                    found = z.choose(each > found if called is max else each < found, each, found)
                return found
            case [] if called is frozenset:
                return EMPTY
            case [part] if called is frozenset:
                return self.changed(EMPTY, part, env, add=True)
            case [record] if called is dataclasses.replace:
                return self.value(record, env).replace(self.keywords(node, env))
            case [] if isinstance(called, type) and self.source.makes_state(node):
                like = self.reader.sorts.constant(called, "like")
                return like.replace(self.keywords(node, env))
        if (helper := self.source.helper(node)) is not None:
            return self.reader.call(helper, [self.value(each, env) for each in node.args])
        raise self.source.bad(node, f"such a call is not read: {instead(node)}")

    def keywords(self, node: ast.Call, env: Env) -> Env:
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
    """An expression as a text in which these names are numbered, so that it is the same for other states."""
    numbered = copy.deepcopy(node)
    for name in (each for each in ast.walk(numbered) if isinstance(each, ast.Name) and each.id in names):
        name.id = f"_{names.index(name.id)}"
    return ast.dump(numbered)


def names_of(target: ast.expr) -> list[str]:
    """The names that a target binds, in order."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    return [part.id for part in parts if isinstance(part, ast.Name)]


def bind(target: ast.expr, value: Value, env: Env) -> Env:
    """The environment in which a target has that value."""
    if isinstance(target, ast.Name):
        return {**env, target.id: value}
    return {**env, **dict(zip(names_of(target), value, strict=True))}
