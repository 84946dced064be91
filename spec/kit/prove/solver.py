"""The face of Z3: terms, and questions with an answer.  No other module imports z3, which has no types.

Connectives leave out operands that are trivially true or false, so that terms stay small.  A question is asked in a
context of its own and limited by Z3's own count of steps, so that its answer depends neither on the questions before it
nor on the load of the machine.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any, Literal, TypeAlias

import z3

#: An expression, a sort, a function and a model of Z3.
Term: TypeAlias = Any
Sort: TypeAlias = Any
#: Seconds of wall time after which Z3 is stopped although its steps are not used up: the last resort.
MOST_SECONDS = 100

_numbers = itertools.count()


def begin() -> None:
    """Number the fresh names from 0 again: an answer must not depend on the obligations before it."""
    global _numbers
    _numbers = itertools.count()


def unique(name: str) -> str:
    """A name that no term has yet."""
    return f"{name}!{next(_numbers)}"


# --- Sorts and constants -----------------------------------------------------------------------------------------

BOOL: Sort = z3.BoolSort()
INT: Sort = z3.IntSort()
#: The elements of the finite sorts by name, and whether quantifiers over them are written out.
_finite: dict[str, tuple[tuple[Term, ...], bool]] = {"Bool": ((z3.BoolVal(False), z3.BoolVal(True)), False)}


def sort(name: str) -> Sort:
    """A sort with any number of elements, but at least one."""
    return z3.DeclareSort(name)


@cache
def enumeration(name: str, members: tuple[str, ...], *, written_out: bool = True) -> tuple[Sort, tuple[Term, ...]]:
    """A sort with exactly these elements; with `written_out`, quantifiers over it become conjunctions."""
    made, values = z3.EnumSort(name, [f"{name}.{member}" for member in members])
    _finite[name] = tuple(values), written_out
    return made, tuple(values)


def points(sorts: Iterable[Sort]) -> list[Term] | None:
    """The elements of a sort, or the tuples of elements of several; None if one is not to be written out."""
    names = [each.name() for each in sorts]
    return members(names) if all(_finite.get(name, ((), False))[1] for name in names) else None


def members(names: Iterable[str]) -> list[Term]:
    """The elements of a finite sort, or the tuples of elements of several."""
    return [joined(point) for point in itertools.product(*(_finite[name][0] for name in names))]


def sequence_of(element: Sort) -> Sort:
    return z3.SeqSort(element)


def constant(name: str, of: Sort) -> Term:
    return z3.Const(name, of)


def function(name: str, given: Sequence[Sort], result: Sort) -> Callable[..., Term]:
    made: Callable[..., Term] = z3.Function(name, *given, result)
    return made


def fresh(sorts: Sequence[Sort]) -> Term:
    """A constant that occurs nowhere else, or a tuple of them."""
    return joined([z3.Const(unique("?"), each) for each in sorts])


def joined(parts: Sequence[Term]) -> Term:
    """A key of several parts is a tuple, of one part the part itself."""
    return parts[0] if len(parts) == 1 else tuple(parts)


def parts(key: Term) -> tuple[Term, ...]:
    return key if isinstance(key, tuple) else (key,)


def is_term(value: object) -> bool:
    return isinstance(value, z3.ExprRef)


def is_applied(value: Term) -> bool:
    """Whether it is a constant or a function of a question, applied: only those may be patterns."""
    return is_term(value) and z3.is_app(value) and value.decl().kind() == z3.Z3_OP_UNINTERPRETED


def constants(term: Term) -> Iterator[Term]:
    """The constants that occur in a term, but for those of Z3 itself."""
    return (at for at in _subterms(term) if z3.is_const(at) and at.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def symbols(term: Term) -> Iterator[str]:
    """The names of the constants and functions that occur in a term, but for those of Z3 itself."""
    for at in _subterms(term):
        if z3.is_app(at) and at.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            yield at.decl().name()


def _subterms(term: Term) -> Iterator[Term]:
    """The terms within a term, each once, also those within its quantifiers."""
    todo, seen = [term], set()
    while todo:
        at = todo.pop()
        if at.get_id() in seen:
            continue
        seen.add(at.get_id())
        if z3.is_quantifier(at):
            todo.append(at.body())
        else:
            yield at
            todo += at.children()


def loose(term: Term) -> list[Term]:
    """The fresh constants that a term has outside of its quantifiers: the choices of `for`s."""
    found = {each.decl().name(): each for each in constants(term) if each.decl().name().startswith("?!")}
    return [found[name] for name in sorted(found)]


# --- Terms -------------------------------------------------------------------------------------------------------


_TRUE, _FALSE = z3.BoolVal(True), z3.BoolVal(False)


def truth(value: bool) -> Term:
    return _TRUE if value else _FALSE


def is_true(term: Term) -> bool:
    """Whether a term is the constant; z3's own function asks for its kind, its declaration and the kind of that."""
    return bool(term.eq(_TRUE))


def is_false(term: Term) -> bool:
    return bool(term.eq(_FALSE))


def number(value: int) -> Term:
    return z3.IntVal(value)


#: The kinds of terms, by their types in z3.
_KINDS = {
    z3.BoolRef: "truth value",
    z3.QuantifierRef: "truth value",
    z3.ArithRef: "number",
    z3.IntNumRef: "number",
    z3.SeqRef: "sequence",
    z3.DatatypeRef: "element",
    z3.ExprRef: "element",
}


def kind(term: object) -> str:
    """The kind of a term; "other value" if it is none."""
    return _KINDS.get(type(term), "other value")


def as_number(term: Term) -> Term:
    """A number; of a truth value, as Python counts with it, 1 or 0."""
    return choose(term, number(1), number(0)) if kind(term) == "truth value" else term


def both(*terms: Term) -> Term:
    """All of them."""
    left = [term for term in terms if not is_true(term)]
    if any(map(is_false, left)):
        return truth(False)
    return z3.And(*left) if len(left) > 1 else left[0] if left else truth(True)


def either(*terms: Term) -> Term:
    """One of them, or more."""
    left = [term for term in terms if not is_false(term)]
    if any(map(is_true, left)):
        return truth(True)
    return z3.Or(*left) if len(left) > 1 else left[0] if left else truth(False)


def no(term: Term) -> Term:
    return truth(False) if is_true(term) else truth(True) if is_false(term) else z3.Not(term)


def implies(condition: Term, term: Term) -> Term:
    return either(no(condition), term) if is_true(condition) or is_true(term) else z3.Implies(condition, term)


def choose(condition: Term, then: Term, other: Term) -> Term:
    """`then` if the condition holds, else `other`."""
    if is_true(condition) or then.eq(other):
        return then
    return other if is_false(condition) else z3.If(condition, then, other)


def equal(a: Term, b: Term) -> Term:
    return truth(True) if a.eq(b) else a == b


def identical(a: Term, b: Term) -> bool:
    """Whether they are the same term, or tuples of the same."""
    return all(x.eq(y) for x, y in zip(parts(a), parts(b), strict=True))


def forall(variables: Sequence[Term], term: Term, patterns: Sequence[Term] = ()) -> Term:
    """For all values of these constants; `patterns`: it is used of a value for which there is such a term."""
    if not variables or is_true(term):
        return term
    return z3.ForAll(list(variables), term, patterns=list(patterns))


def exists(variables: Sequence[Term], term: Term) -> Term:
    return z3.Exists(list(variables), term) if variables and not is_false(term) else term


def some(variables: Sequence[Term], term: Term) -> Term:
    """That there are values of these constants; written out, where their sorts are."""
    places = points(each.sort() for each in variables) if variables else None
    if places is None:
        return exists(variables, term)
    return either(*(z3.substitute(term, *zip(variables, parts(point), strict=True)) for point in places))


def conjuncts(term: Term) -> list[Term]:
    """The terms that must all be true."""
    return [each for part in term.children() for each in conjuncts(part)] if z3.is_and(term) else [term]


def quantifies(term: Term) -> bool:
    """Whether there is a quantifier in a term."""
    return z3.is_quantifier(term) or any(map(quantifies, term.children()))


def is_simple(term: Term) -> bool:
    """Whether a term has no quantifier, but one around it."""
    return not quantifies(term.body() if z3.is_quantifier(term) else term)


def is_forall(term: Term) -> bool:
    return z3.is_quantifier(term) and bool(term.is_forall())


def add(*terms: Term) -> Term:
    return reduce(lambda a, b: a + b, terms, number(0))


def is_number(term: Term) -> bool:
    return is_term(term) and term.sort() == INT


def is_sequence(term: Term) -> bool:
    return is_term(term) and z3.is_seq(term)


def sequence(elements: Sequence[Term], of: Sort) -> Term:
    """A sequence of that sort with these elements."""
    units = [z3.Unit(element) for element in elements]
    return z3.Empty(of) if not units else units[0] if len(units) == 1 else z3.Concat(*units)


def concat(a: Term, b: Term) -> Term:
    return z3.Concat(a, b)


def length(term: Term) -> Term:
    return z3.Length(term)


def first(term: Term, most: int = 1) -> Term:
    """The sequence of the first elements, at most so many."""
    return z3.SubSeq(term, 0, most)


def item(term: Term, place: int) -> Term:
    """The element at that place of a sequence; anything, if there is none."""
    return term[place]


def rest(term: Term) -> Term:
    """The sequence without its first element."""
    return z3.SubSeq(term, 1, z3.Length(term) - 1)


def occurs(element: Term, term: Term) -> Term:
    """Whether an element is in a sequence."""
    return z3.Contains(term, z3.Unit(element))


# --- Questions ---------------------------------------------------------------------------------------------------


class Unvalued(Exception):
    """A model gives a term no value: it rests on a quantifier that Z3 does not evaluate."""


class SolverModel:
    """Values for constants and functions that make the terms of the question true."""

    def __init__(self, model: Any, context: Any) -> None:  # Any: of z3
        self._model, self._context = model, context

    def value(self, term: Term) -> Any:  # Any: bool, int, the name of an element, or a tuple of those
        """The value of a term.  Raises Unvalued."""
        return self._read(self._model.eval(term.translate(self._context), model_completion=True))

    def _read(self, value: Term) -> Any:
        if z3.is_true(value) or z3.is_false(value):
            return z3.is_true(value)
        if z3.is_int_value(value):
            return value.as_long()
        if z3.is_seq(value):
            kind = value.decl().kind()
            if kind == z3.Z3_OP_SEQ_EMPTY:
                return ()
            if kind == z3.Z3_OP_SEQ_UNIT:
                return (self._read(value.arg(0)),)
            return tuple(each for child in value.children() for each in self._read(child))
        if not z3.is_const(value):
            raise Unvalued(str(value))
        return value.decl().name().rpartition(".")[2]


@dataclass(frozen=True)
class Answer:
    """The answer to a question: whether it has a model, in how many steps of Z3; of "unknown", the reason.

    `used`: the names of the premises that an "unsat" needs, if they were to be tracked.
    """

    result: Literal["sat", "unsat", "unknown"]
    steps: int
    why: str = ""
    used: tuple[str, ...] = ()
    model: SolverModel | None = None


def ask(formulas: Iterable[Term], *, steps: int, premises: Mapping[str, Term] | None = None) -> Answer:
    """Whether the formulas, and premises, can all be true, in at most so many steps."""
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("rlimit", steps)
    solver.set("timeout", MOST_SECONDS * 1000)
    for formula in formulas:
        solver.add(formula.translate(context))
    for name, premise in (premises or {}).items():
        solver.assert_and_track(premise.translate(context), z3.Bool(name, context))
    result = str(solver.check())
    statistics = solver.statistics()
    taken = statistics.get_key_value("rlimit count") if "rlimit count" in statistics.keys() else 0  # noqa: SIM118
    if result == "unsat":
        return Answer("unsat", taken, used=tuple(sorted(map(str, solver.unsat_core()))))
    if result == "sat":
        return Answer("sat", taken, model=SolverModel(solver.model(), context))
    return Answer("unknown", taken, why=solver.reason_unknown())
