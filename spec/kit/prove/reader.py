"""Read functions of the subset into terms: a function of a specification becomes a function of values.

An action becomes its *ways*: for each way to a `yield`, its conditions and the state that it
yields.  A `for` of an action chooses a fresh element.  A call of an opaque helper becomes a term; only its law
is known (`Spec.laws`).  Any other code outside the subset raises Untranslatable.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NamedTuple

from ..core import Named, Spec
from ..render.infer import hints
from ..render.source import at, source
from ..render.subset import OTHER_STATEMENT
from . import solver as z
from .expressions import Env, Expressions, bind
from .sorts import Sorts
from .sums import Sums
from .values import Fun, Rec, Unreadable, Value, ite, kind, terms, truth


class Way(NamedTuple):
    """A way to a `yield`: its conditions, and the state that it yields."""

    conditions: tuple[z.Term, ...]
    value: Value


@dataclass
class Applied:
    """A call of an opaque helper: its law is true of the arguments and the result.

    `further`: the names of the law's further parameters.
    """

    fn: FunctionType
    law: FunctionType
    values: list[Value]

    @property
    def further(self) -> list[str]:
        return list(hints(self.law))[len(self.values) : -1]


class Reader:
    """Reads the functions of one specification for one question.

    `sums` has the facts about the sums that were met, `laws` those about the calls of opaque helpers.
    """

    def __init__(self, spec: Spec[Any, Any], sorts: Sorts) -> None:
        self.spec, self.sorts = spec, sorts
        self.sums = Sums(spec.state, sorts.members if sorts.finite else None)
        self.bound: list[z.Term] = []  # the variables of the quantifiers around the expression at hand
        self.applied: dict[tuple[Any, ...], Applied] = {}
        self.kept: list[Value] = []  # so that the identities in the keys of `applied` are not taken by others

    def call(self, fn: Any, values: Sequence[Value]) -> Value:  # Any: a function of any signature
        """The result of a helper, or of a property."""
        if fn.__name__ in self.spec.opaque:
            return self._opaque(fn, list(values))
        function = Function(self, fn)
        with readable(fn):
            return function.returned(function.source.body, function.env(values))

    def holds(self, fn: Any, values: Sequence[Value]) -> z.Term:
        """Whether a property holds."""
        with readable(fn):
            return truth(self.call(fn, values))

    def counted(self, fn: Any, values: Sequence[Value]) -> z.Term:
        """The number that a rank is."""
        found = z.as_number(self.call(fn, values))
        if kind(found) != "number":
            raise at(fn, f"it returns a {kind(found)}: return a number")
        return found

    def steps(self, action: Named, values: Sequence[Value]) -> Iterator[Way]:
        """The ways through an action, each with the state that it yields."""
        for way in self.ways(action.fn, values):
            if not isinstance(way.value, Rec) or way.value.cls is not self.spec.state:
                raise at(action.fn, f"it yields a {kind(way.value)}: yield a {self.spec.state.__name__}")
            yield way

    def ways(self, fn: Any, values: Sequence[Value]) -> Iterator[Way]:  # Any: a function of any signature
        """The ways through an action, or through a helper generator."""
        if fn.__name__ in self.spec.opaque:
            raise at(fn, "it is opaque, and a generator has no law: write it in the subset")
        function = Function(self, fn)
        with readable(fn):
            yield from function.block(function.source.body, function.env(values), ())

    def _opaque(self, fn: Any, values: list[Value]) -> Value:
        law = self.spec.laws.get(fn.__name__)
        if law is None:
            raise at(fn, "it is opaque, and has no law: say what is true of it, Spec(..., laws={name: law})")
        if any(self.depends(term) for term in terms(tuple(values))):
            raise at(fn, "it is opaque, and called within a quantifier: call it before, and name the result")
        key = (fn.__name__, *map(self._identity, values))
        if key not in self.applied:
            self.applied[key] = Applied(fn, source(law).fn, [*values, self._result(fn, values)])
        return self.applied[key].values[-1]

    def _identity(self, value: Value) -> int:
        """The same number for the same term, and for functions that are written alike."""
        if isinstance(value, Fun) and value.keys:
            at = value.anywhere()
            value = at if z.is_term(at) else value
        self.kept.append(value)
        return int(value.get_id()) if z.is_term(value) else id(value)

    def _result(self, fn: Any, values: list[Value]) -> Value:
        of = hints(fn)["return"]
        if all(map(z.is_term, values)):
            return z.function(fn.__name__, [value.sort() for value in values], self.sorts.of(of))(*values)
        return self.sorts.constant(of, z.unique(fn.__name__))

    def depends(self, term: z.Term) -> bool:
        """Whether a term depends on the variable of a quantifier around it."""
        return bool(self.bound) and any(z.identical(x, v) for x in z.constants(term) for v in self.bound)

    def defined(self, *values: Value) -> set[str]:
        """The names in these values of sums and of results of opaque helpers: facts constrain them."""
        names = (name for value in values for term in terms(value) for name in z.symbols(term))
        return {name for name in names if name.partition("!")[0] in ("sum", *self.spec.opaque)}

    def depending(self, free: Sequence[z.Term]) -> set[str]:
        """The names of those that depend on the choice of a `for`, or on one of these constants.

        So does one that depends on another of them: the sum of a sum, a call of the result of a call.
        """
        met = [(self.defined(total.term), tuple(total.facts)) for total in self.sums.met]
        met += [(self.defined(call.values[-1]), tuple(call.values[:-1])) for call in self.applied.values()]
        read = [(of, [*terms(given)]) for of, given in met]
        symbols = [(of, {name for term in given for name in z.symbols(term)}) for of, given in read]
        names = {str(each) for each in free}.union(*(of for of, given in read if any(map(z.loose, given))))
        while more := {*itertools.chain(*(of for of, given in symbols if given & names))} - names:
            names |= more
        return names

    def forget(self, calls: Collection[object], but: Sequence[Value]) -> None:
        """Forget the calls of opaque helpers that are not among these keys, and have no result in these values."""
        names = self.defined(*but)
        kept = {key: c for key, c in self.applied.items() if key in calls or self.defined(c.values[-1]) & names}
        self.applied = kept

    def laws(self, records: Sequence[Rec]) -> list[z.Term]:
        """The facts that the laws give of the calls so far.

        A further parameter of a law is a field of its name of these records.
        """
        found, done = [], 0
        while done < len(self.applied):  # a law may call opaque helpers, too
            for applied in list(self.applied.values())[done:]:
                done += 1
                found += [self.holds(applied.law, values) for values in self.instances(applied, records)]
        return found

    def instances(self, applied: Applied, records: Sequence[Rec]) -> Iterator[list[Value]]:
        """The parameters of the law of a call, with those further ones that the records have."""
        choices = [[r.fields[name] for r in records if name in r.fields] for name in applied.further]
        return ([*applied.values, *choice] for choice in itertools.product(*choices))


@contextlib.contextmanager
def readable(fn: Any) -> Iterator[None]:  # Any: a function of any signature
    """An operation that is refused, without an expression that has it, is an error of the function."""
    try:
        yield
    except Unreadable as error:
        raise at(fn, str(error)) from error


class Function(Expressions):
    """Reads the statements of one function."""

    def __init__(self, reader: Reader, fn: Callable[..., Any]) -> None:
        super().__init__(reader, source(fn))
        self.context = reader

    def env(self, values: Sequence[Value]) -> Env:
        """The environment of a call."""
        code = self.source.fn.__code__
        names = code.co_varnames[: code.co_argcount]
        if len(names) != len(values):
            raise at(
                self.source.fn,
                f"it has {len(names)} parameters, and gets {len(values)} values: write a value for each",
            )
        return dict(zip(names, values, strict=True))

    def returned(self, body: Sequence[ast.stmt], env: Env) -> Value:
        """The value that a helper or a property returns."""
        match body:
            case [ast.Return(value=ast.expr() as value), *_]:
                return self.value(value, env)
            case [ast.If(test=test, body=then, orelse=other), *rest]:
                condition = self.condition(test, env)
                return ite(condition, self.returned([*then, *rest], env), self.returned([*other, *rest], env))
            case [statement, *rest]:
                return self.returned(rest, self.given(statement, env))
        raise self.source.bad(self.source.tree, "a branch without a value to return: end it with return and a value")

    def block(self, body: Sequence[ast.stmt], env: Env, path: tuple[z.Term, ...]) -> Iterator[Way]:
        """The ways through the statements of a generator."""
        for statement in body:
            match statement:
                case ast.Expr(value=ast.Yield(value=ast.expr() as value)):
                    yield Way(path, self.value(value, env))
                case ast.Expr(value=ast.YieldFrom(value=ast.Call() as call)):
                    for way in self.generated(call, env):
                        yield Way((*path, *way.conditions), way.value)
                case ast.If(test=test, body=then, orelse=other):
                    condition = self.condition(test, env)
                    yield from self.block(then, env, (*path, condition))
                    yield from self.block(other, env, (*path, z.no(condition)))
                case ast.For(target=target, iter=domain, body=inner):
                    for way in self.chosen(domain, env):
                        yield from self.block(inner, bind(target, way.value, env), (*path, *way.conditions))
                case _:
                    env = self.given(statement, env)

    def given(self, statement: ast.stmt, env: Env) -> Env:
        """A name is given a value."""
        match statement:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                return bind(target, self.value(value, env), env)
        raise self.source.bad(statement, OTHER_STATEMENT)

    def generated(self, call: ast.Call, env: Env) -> Iterator[Way]:
        """The ways through a helper generator."""
        helper = self.source.helper(call)
        if helper is None:
            raise self.source.bad(call, "not a helper generator: write for x in ...: yield ...")
        return self.context.ways(helper, [self.value(each, env) for each in call.args])

    def chosen(self, domain: ast.expr, env: Env) -> Iterator[Way]:
        """The elements that a `for` of a generator may choose."""
        helper = self.source.helper(domain)
        if isinstance(domain, ast.Call) and helper is not None and inspect.isgeneratorfunction(helper):
            yield from self.generated(domain, env)
        else:
            for x, member, _ in self.elements(domain, env, write_out=False):
                yield Way((member,), x)
