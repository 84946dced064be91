"""Functions of a specification as formulas: the syntax trees of the subset, in mathematical notation.

`NotationWriter` reads one function.  A property or helper is the formula of its result.  An action is a formula about
the state s and the next state s′: a guard is a conjunct, several ways to continue are a disjunction, a `for` is "there
exists", every `yield` defines s′.  The constants and the state are not named where they are the function's own:
`s.at[t]` is at[t], `s2.at[t]` of the next state at′[t]; a helper that is applied to the next state is primed as a
whole. Two phrases are put as mathematicians would: `not a or b` is a ⇒ b, and a sum of ones is a number of elements.
The formulas are laid out in `layout.py`.
"""

# ruff: noqa: RUF001, RUF002  (the signs are meant: they are mathematics)

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Sequence
from enum import EnumMeta
from types import FunctionType

from .infer import Env, element, hints, is_sequence, is_set, roles, type_of
from .layout import (
    RELATION,
    SUM,
    Binder,
    Bracket,
    Equation,
    Formula,
    Implies,
    Infix,
    Join,
    Let,
    Listed,
    Such,
    Text,
    bracket,
    choice,
    junction,
    tight,
)
from .source import Source, source
from .subset import names

SIGNS: dict[type[ast.AST], str] = {
    ast.And: "∧",
    ast.Or: "∨",
    ast.Eq: "=",
    ast.NotEq: "≠",
    ast.Lt: "<",
    ast.LtE: "≤",
    ast.Gt: ">",
    ast.GtE: "≥",
    ast.In: "∈",
    ast.NotIn: "∉",
}
PRIME = "′"
EMPTY = Text("∅")


def statement(fn: FunctionType) -> Formula:
    """The formula of a function."""
    read = source(fn)
    writer = NotationWriter(read)
    return (writer.block if read.generates else writer.branch)(read.body, hints(fn))


class NotationWriter:
    """Writes one function.  An `Env` has the types of the visible names."""

    def __init__(self, read: Source) -> None:
        self.source = read
        self.roles = roles(read.fn)
        bound = (n.id for n in ast.walk(read.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        self.locals = {*self.roles.others, *bound}
        self.asserts = True  # the formula is asserted, not a condition

    # --- statements ----------------------------------------------------------------------------------------

    def block(self, body: Sequence[ast.stmt], env: Env) -> Formula:
        """The formula of a generator's statements, about s′."""
        ways: list[Formula] = []
        for number, at in enumerate(body):
            if isinstance(at, ast.Assign | ast.AnnAssign):
                name, formula, inner = self.given(at, env)
                ways.append(let(Equation(name, formula), self.block(body[number + 1 :], inner)))
                break
            ways.append(self.way(at, env))
        return junction("∨", ways)

    def way(self, at: ast.stmt, env: Env) -> Formula:
        match at:
            case ast.If(test=test, body=then, orelse=[]):
                return junction("∧", [self.test(test, env), self.block(then, env)])
            case ast.If(test=test, body=then, orelse=other):
                return choice(self.test(test, env), self.block(then, env), self.block(other, env))
            case ast.For(target=target, iter=domain, body=body):
                inner = self.bind(target, domain, env)
                return Binder(f"∃ {self.member(target, domain, env)}", self.block(body, inner))
            case ast.Expr(value=ast.YieldFrom(value=value)):
                return Infix(Text("s′"), (("∈", self.value(value, env)),), RELATION)
            case ast.Expr(value=ast.Yield(value=ast.expr() as value)):
                return self.successor(value, env)
        raise self.source.bad(at, "there is no notation for it: write it in the subset")

    def successor(self, node: ast.expr, env: Env) -> Formula:
        """The formula that s′ is this state."""
        match node:
            case ast.IfExp(test=test, body=then, orelse=other):
                return choice(self.test(test, env), self.successor(then, env), self.successor(other, env))
            case ast.Call(func=func, args=[ast.Name(id=name)], keywords=fields) if (
                name == self.roles.s and self.source.resolve(func) is dataclasses.replace
            ):
                changes = [Equation(f"{f.arg}′", self.value(f.value, env)) for f in fields]
                return junction("∧", changes, listed=len(changes) > 1)
        return Equation("s′", self.value(node, env))

    def branch(self, body: Sequence[ast.stmt], env: Env) -> Formula:
        """The formula of the value that a function's statements return."""
        match body:
            case [ast.Return(value=ast.expr() as value)]:
                return self.value(value, env)
            case [ast.If(test=test, body=then, orelse=other), *rest]:
                return choice(self.test(test, env), self.branch(then, env), self.branch([*other, *rest], env))
            case [ast.Assign() | ast.AnnAssign() as at, *rest]:
                name, formula, inner = self.given(at, env)
                return let(Equation(name, formula), self.branch(rest, inner))
        raise self.source.bad(body[0], "there is no notation for it: write it in the subset")

    def given(self, at: ast.Assign | ast.AnnAssign, env: Env) -> tuple[str, Formula, Env]:
        if at.value is None:
            raise self.source.bad(at, "there is no notation for it: write it in the subset")
        (name,) = names(at)
        return name, self.value(at.value, env), {**env, name: type_of(at.value, self.source, env)}

    # --- values --------------------------------------------------------------------------------------------

    def value(self, node: ast.expr, env: Env) -> Formula:
        match node:
            case ast.Constant(value=bool() as value):
                return Text(str(value).lower())
            case ast.Constant(value=value):
                return Text(str(value))
            case ast.Name(id=name):
                return Text("s′" if name == self.roles.t else "s" if name == self.roles.s else name)
            case ast.Attribute(value=ast.Name(id=name), attr=field) if name in env:
                return Text(self.field(name, field))
            case ast.Attribute(value=of, attr=name) if isinstance(self.source.resolve(of), EnumMeta):
                return Text(name)
            case ast.BoolOp(op=ast.Or(), values=parts):
                return self.disjunction(parts, env)
            case ast.BoolOp(values=parts):
                return junction("∧", self.values(parts, env))
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return Join(Text("¬"), self.value(part, env))
            case ast.UnaryOp(operand=part):
                return Join(Text("−"), self.value(part, env))
            case ast.Compare():
                return self.comparison(node, env)
            case ast.IfExp(test=test, body=then, orelse=other):
                return choice(self.test(test, env), *self.values([then, other], env))
            case ast.BinOp(left=left, right=right):
                return Infix(self.value(left, env), ((self.sign(node, env), self.value(right, env)),), SUM)
            case ast.Subscript(value=of, slice=ast.Slice(lower=lower)):
                return Join(self.value(of, env), Text("[1:]" if lower else "[:1]"))
            case ast.Subscript(value=of, slice=key):
                return Join(self.value(of, env), Bracket("[", (self.value(key, env),), "]"))
            case ast.Tuple(elts=parts):
                return bracket("⟨", self.values(parts, env), "⟩")
            case ast.Set(elts=[]) | ast.Dict(keys=[]):
                return EMPTY
            case ast.Set(elts=parts):
                return bracket("{", self.values(parts, env), "}")
            case ast.Dict(keys=keys, values=parts):
                pairs = [self.pair(key, part, env) for key, part in zip(keys, parts, strict=True) if key]
                return Bracket("{", tuple(pairs), "}")
            case ast.SetComp(elt=elt, generators=generators):
                return self.set_of(elt, generators, env)
            case ast.DictComp(key=key, value=value, generators=generators):
                ranges, tests, inner = self.ranges(generators, env)
                condition = junction("∧", [*map(Text, ranges), *tests])
                return Bracket("{", (Such(self.pair(key, value, inner), condition),), "}")
            case ast.Call():
                return self.call(node, env)
        raise self.source.bad(node, "there is no notation for it: write it in the subset")

    def test(self, node: ast.expr, env: Env) -> Formula:
        """The formula of a condition, which is not put as an implication."""
        asserted, self.asserts = self.asserts, False
        formula = self.value(node, env)
        self.asserts = asserted
        return formula

    def values(self, nodes: Sequence[ast.expr], env: Env) -> tuple[Formula, ...]:
        return tuple(self.value(node, env) for node in nodes)

    def field(self, of: str, field: str) -> str:
        """A field of the constants, of the state, of the next state, of another one."""
        if of == self.roles.t:
            return field + PRIME
        own = of in (self.roles.k, self.roles.s)
        return field if own and field not in self.locals else f"{of}.{field}"

    def pair(self, key: ast.expr, value: ast.expr, env: Env) -> Formula:
        return Equation(self.value(key, env).flat(), self.value(value, env), "↦")

    def sign(self, node: ast.BinOp, env: Env) -> str:
        """The sign between two operands: it depends on their type."""
        of = type_of(node, self.source, env)
        match node.op:
            case ast.BitOr():
                mapped = any(isinstance(n, ast.Dict | ast.DictComp) for n in ast.walk(node.right))
                return "⊕" if mapped else "∪"
            case ast.Sub():
                return "∖" if is_set(of) or isinstance(node.right, ast.Set | ast.SetComp) else "−"
        return "∘" if is_sequence(of) else "+"

    def comparison(self, node: ast.Compare, env: Env) -> Formula:
        parts = [node.left, *node.comparators]
        if [type(op) for op in node.ops] == [ast.Eq] and any(type_of(part, self.source, env) is bool for part in parts):
            return Implies("⇔", *self.values(parts, env))
        rest = tuple(
            (
                SIGNS[type(op)],
                self.domain(part, env) if isinstance(op, ast.In | ast.NotIn) else self.value(part, env),
            )
            for op, part in zip(node.ops, node.comparators, strict=True)
        )
        return Infix(self.value(node.left, env), rest, RELATION)

    # --- negations -----------------------------------------------------------------------------------------

    def disjunction(self, parts: list[ast.expr], env: Env) -> Formula:
        """`not a or not b or c` is a ∧ b ⇒ c."""
        denied: list[Formula] = []
        for part in parts[:-1] if self.asserts else []:
            formula = self.denied(part, env)
            if formula is None:
                break
            denied.append(formula)
        rest = self.one_of(parts[len(denied) :], env)
        return Implies("⇒", junction("∧", denied), rest) if denied else rest

    def one_of(self, parts: list[ast.expr], env: Env) -> Formula:
        """A disjunction of items that contain no implication."""
        return junction("∨", self.values(parts, env) if len(parts) == 1 else [self.test(p, env) for p in parts])

    def denied(self, node: ast.expr, env: Env) -> Formula | None:
        """The formula that `node` negates, or None."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return self.value(part, env)
            case ast.Compare(left=left, ops=[ast.NotEq() | ast.NotIn() as op], comparators=rest):
                opposite = ast.Eq() if isinstance(op, ast.NotEq) else ast.In()
                return self.value(ast.Compare(left, [opposite], rest), env)
            case ast.Call(func=func, args=[ast.GeneratorExp(elt=ast.UnaryOp(op=ast.Not(), operand=part)) as g]) if (
                self.source.resolve(func) is all
            ):
                return self.quantified(any, part, g.generators, env)
        return None

    # --- bound names ---------------------------------------------------------------------------------------

    def domain(self, node: ast.expr, env: Env) -> Formula:
        """A set, or a tuple display that stands for the set of its elements."""
        if isinstance(node, ast.Tuple):
            return Bracket("{", self.values(node.elts, env), "}")
        return tight(self.value(node, env), RELATION)

    def member(self, target: ast.expr, domain: ast.expr, env: Env) -> str:
        inner = self.bind(target, domain, env)
        return f"{self.value(target, inner).flat()} ∈ {self.domain(domain, env).flat()}"

    def bind(self, target: ast.expr, domain: ast.expr, env: Env) -> Env:
        """With the names that range over `domain`."""
        of = element(type_of(domain, self.source, env))
        if isinstance(target, ast.Name):
            return {**env, target.id: of}
        types = getattr(of, "__args__", ()) or [None] * len(names(target))
        parts = target.elts if isinstance(target, ast.Tuple) else []
        return {
            **env,
            **{part.id: t for part, t in zip(parts, types, strict=False) if isinstance(part, ast.Name)},
        }

    def ranges(self, generators: list[ast.comprehension], env: Env) -> tuple[list[str], list[Formula], Env]:
        """The ranges of a comprehension, `v, w ∈ tasks`; its conditions; and the env with its names."""
        found: list[tuple[str, str]] = []
        tests: list[Formula] = []
        for g in generators:
            domain = self.domain(g.iter, env).flat()
            env = self.bind(g.target, g.iter, env)
            target = self.value(g.target, env).flat()
            if found and found[-1][1] == domain:
                found[-1] = f"{found[-1][0]}, {target}", domain
            else:
                found.append((target, domain))
            tests += [self.test(test, env) for test in g.ifs]
        return [f"{target} ∈ {domain}" for target, domain in found], tests, env

    def set_of(self, elt: ast.expr, generators: list[ast.comprehension], env: Env) -> Formula:
        ranges, tests, inner = self.ranges(generators, env)
        target = generators[0].target
        if tests and len(generators) == 1 and isinstance(elt, ast.Name) and elt.id in names(target):
            return Bracket("{", (Such(Text(ranges[0]), junction("∧", tests)),), "}")
        condition = junction("∧", [*map(Text, ranges), *tests])
        return Bracket("{", (Such(self.value(elt, inner), condition),), "}")

    def quantified(self, quantifier: object, elt: ast.expr, generators: list[ast.comprehension], env: Env) -> Formula:
        """all, any, sum of `elt`."""
        ranges, tests, inner = self.ranges(generators, env)
        bound = ", ".join(ranges)
        trivial = isinstance(elt, ast.Constant) and elt.value is True
        if quantifier is all:
            asserted, self.asserts = self.asserts, True  # a claim about each element is asserted
            claim = self.value(elt, inner)
            self.asserts = asserted
            return Binder(f"∀ {bound}", Implies("⇒", junction("∧", tests), claim) if tests else claim)
        if quantifier is any and trivial and not tests and len(generators) == 1:
            return Infix(self.domain(generators[0].iter, env), (("≠", EMPTY),), RELATION)
        if quantifier is any:
            return Binder(f"∃ {bound}", junction("∧", [*tests, *([] if trivial else [self.value(elt, inner)])]))
        if isinstance(elt, ast.Constant) and elt.value == 1 and len(generators) == 1:
            return self.number(ranges[0], tests, generators[0].iter, env)
        where = f" where {junction('∧', tests).flat()}" if tests else ""
        return Binder(f"Σ {bound}{where}", self.value(elt, inner))

    def number(self, member: str, tests: list[Formula], domain: ast.expr, env: Env) -> Formula:
        """A count: of the elements of a set, of the places of a sequence."""
        if not tests:
            return Bracket("|", (self.value(domain, env),), "|")
        if is_set(type_of(domain, self.source, env)):
            return Bracket("|{", (Such(Text(member), junction("∧", tests)),), "}|")
        return Binder(f"# {member}", junction("∧", tests))

    # --- calls ---------------------------------------------------------------------------------------------

    def call(self, node: ast.Call, env: Env) -> Formula:
        called = self.source.resolve(node.func)
        match node.args:
            case [ast.GeneratorExp(elt=elt, generators=generators)]:
                return self.quantified(called, elt, generators, env)
            case [part] if called is len:
                return Bracket("|", (self.value(part, env),), "|")
            case [] if called is frozenset:
                return EMPTY
            case [part] if called is frozenset:
                return self.value(part, env)
            case [state] if called is dataclasses.replace:
                return Listed(tight(self.value(state, env), 0), self.fields(node, env))
            case [] if self.source.makes_state(node):
                return Listed(self.named(node.func), self.fields(node, env))
        helper = self.source.helper(node)
        if helper is None:
            return Join(self.named(node.func), bracket("(", self.values(node.args, env), ")"))
        return self.applied(helper, node.args, env)

    def named(self, node: ast.expr) -> Formula:
        return Text(node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else "?")

    def fields(self, node: ast.Call, env: Env) -> tuple[Equation, ...]:
        return tuple(Equation(str(word.arg), self.value(word.value, env)) for word in node.keywords)

    def applied(self, helper: FunctionType, nodes: list[ast.expr], env: Env) -> Formula:
        """A helper and its arguments, without the constants, state and next state that are those of this function."""
        own, theirs = self.roles, roles(helper)
        shown: list[Formula] = []
        prime = ""
        for param, node in zip(theirs.params, nodes, strict=True):
            name = node.id if isinstance(node, ast.Name) else None
            if param == theirs.s and name == own.t and name is not None and theirs.t is None:
                prime = PRIME
            elif name is None or (param, name) not in (
                (theirs.k, own.k),
                (theirs.s, own.s),
                (theirs.t, own.t),
            ):
                shown.append(self.value(node, env))
        head = Text(helper.__name__ + prime)
        return Join(head, bracket("(", shown, ")")) if shown else head


def let(name: Equation, body: Formula) -> Formula:
    """A name for a value, in one let with all names rather than nested ones."""
    return Let((name, *body.names), body.body) if isinstance(body, Let) else Let((name,), body)
