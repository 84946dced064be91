"""One function of a specification as an operator of TLA+.

A property or helper is an operator with the value that it returns; an action or helper generator is one with the set of
the states that it yields.  An operation is written by the kinds of its operands: `+` of numbers is not that of tuples.
Where a kind is not known, or an operation has no meaning for it, the function is refused.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Callable, Mapping
from enum import EnumMeta
from types import FunctionType
from typing import Any, get_args

from ..render.infer import bound, element, hints, type_of
from ..render.source import EXTREMES, Source, at
from ..render.subset import slice_of
from .kinds import OPTIONAL, RELATIONS, SETS, TUPLES, Domain, kind
from .values import AND, EXISTS, FORALL, OR, braced, function, local, names, record, sequence, value

Env = Mapping[str, Any]  # Any: types as `typing` gives them have no common type


class Writer:
    """Writes one function; `name` gives the operator of a helper that it calls."""

    def __init__(self, read: Source, name: Callable[[FunctionType], str]) -> None:
        self.source, self.name = read, name
        self.fresh = 0

    def definition(self, name: str) -> str:
        """The definition of the operator with that name.  Raises Untranslatable."""
        if free := self.source.fn.__code__.co_freevars:
            raise at(self.source.fn, f"{free[0]} is of the function around it: make it a parameter")
        params = [local(arg.arg) for arg in self.source.tree.args.args]
        write = self.block if self.source.generates else self.branch
        head = f"{name}({', '.join(params)})" if params else name
        return f"{head} ==\n    {write(self.source.body, hints(self.source.fn), 1)}"

    def new(self) -> str:
        """A name that no function has."""
        self.fresh += 1
        return f"V_{self.fresh}"

    # --- statements ----------------------------------------------------------------------------------------

    def block(self, body: list[ast.stmt], env: Env, depth: int) -> str:
        """The states that the statements of a generator yield, as a set."""
        parts = []
        for n, statement in enumerate(body):
            match statement:
                case ast.If(test=test, body=then, orelse=other):
                    chosen = self.block(then, env, depth + 1), self.block(other, env, depth + 1)
                    parts.append(conditional(self.truth(test, env), *chosen, depth))
                case ast.For(target=target, iter=of, body=inner):
                    domain = self.domain(of, env)
                    text = self.block(inner, {**env, **bound(target, domain.of)}, depth + 1)
                    parts.append(f"UNION {{{text} : {names(target)} \\in {domain.elements}}}")
                case ast.Expr(value=ast.Yield(value=ast.expr() as result)):
                    parts.append(braced([self.value(result, env)]))
                case ast.Expr(value=ast.YieldFrom(value=called)):
                    parts.append(self.value(called, env))
                case _:
                    given, env = self.given(statement, env)
                    parts.append(f"(LET {given}\n{'    ' * depth}IN {self.block(body[n + 1 :], env, depth)})")
                    break
        return ("\n" + "    " * depth + "\\cup ").join(parts) or "{}"

    def branch(self, body: list[ast.stmt], env: Env, depth: int) -> str:
        """The value that the statements of a function return."""
        match body:
            case [ast.Return(value=ast.expr() as result)]:
                return self.value_of(hints(self.source.fn).get("return"), result, env)
            case [ast.If(test=test, body=then, orelse=other), *rest]:
                chosen = self.branch(then, env, depth + 1), self.branch([*other, *rest], env, depth + 1)
                return conditional(self.truth(test, env), *chosen, depth)
        first, env = self.given(body[0], env)
        return f"(LET {first}\n{'    ' * depth}IN {self.branch(body[1:], env, depth)})"

    def given(self, statement: ast.stmt, env: Env) -> tuple[str, Env]:
        """A name that is given a value, as a definition, and the names that are visible after it."""
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=part):
                of = self.type(part, env)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as part):
                where = {"__module__": self.source.fn.__module__}
                of = hints(type(name, (), {**where, "__annotations__": {name: ast.unparse(annotation)}}))[name]
            case _:
                raise self.source.bad(statement, "a statement that has no counterpart in TLA+")
        return f"{local(name)} == {self.value_of(of, part, env)}", {**env, name: of}

    # --- kinds ---------------------------------------------------------------------------------------------

    def type(self, node: ast.expr, env: Env) -> Any:
        return type_of(node, self.source, env)

    def kind(self, node: ast.expr, env: Env) -> str:
        """The kind of a value.  Raises Untranslatable if it is not known."""
        if (found := kind(self.type(node, env))) is None:
            raise self.source.bad(node, "a value of an unknown type: make it the result of a helper with a type")
        return found

    def no_meaning(self, node: ast.expr, *kinds: str) -> Exception:
        return self.source.bad(node, f"it has no meaning for {' and '.join(kinds)}: compare or add values of one kind")

    def truth(self, node: ast.expr, env: Env) -> str:
        """A value as a condition."""
        match node:
            case ast.BoolOp(op=op, values=parts):
                sign = AND if isinstance(op, ast.And) else OR
                return f"({sign.join(self.truth(part, env) for part in parts)})"
            case ast.UnaryOp(op=ast.Not(), operand=part):
                return f"(~{self.truth(part, env)})"
        text, of = self.value(node, env), self.kind(node, env)
        match of:
            case "bool":
                return text
            case "number":
                return f"({text} # 0)"
            case "tuple":
                return f"({text} # <<>>)"
            case "set":
                return f"({text} # {{}})"
            case "map":
                return f"(DOMAIN {text} # {{}})"
        raise self.no_meaning(node, of)

    def number(self, node: ast.expr, env: Env) -> str:
        """A value that is counted with; True is 1."""
        match self.kind(node, env):
            case "number":
                return self.value(node, env)
            case "bool":
                return f"Number({self.value(node, env)})"
        raise self.no_meaning(node, self.kind(node, env))

    def value_of(self, of: Any, node: ast.expr, env: Env) -> str:
        """A value where one of that type is expected."""
        counts = kind(of) == "number" and kind(self.type(node, env)) == "bool"
        return self.number(node, env) if counts else self.value(node, env)

    def domain(self, node: ast.expr, env: Env) -> Domain:
        """The range of a loop or a comprehension."""
        of = self.type(node, env)
        helper = self.source.helper(node)
        if helper is not None and hints(helper).get("return") is of and kind(of) is None:
            # The states of a helper generator.
            return Domain(self.value(node, env), element(of), sequence=False)
        match self.kind(node, env):
            case "set":
                return Domain(self.value(node, env), element(of), sequence=False)
            case "map":
                return Domain(f"(DOMAIN {self.value(node, env)})", element(of), sequence=False)
            case "tuple":
                return Domain(self.value(node, env), element(of), sequence=True)
        raise self.no_meaning(node, self.kind(node, env))

    # --- values --------------------------------------------------------------------------------------------

    def value(self, node: ast.expr, env: Env) -> str:
        """The text of a value: a name, an application, or in brackets of its own."""
        match node:
            case ast.Constant(value=constant):
                return value(constant)
            case ast.Name(id=name):
                return local(name)
            case ast.Attribute(value=ast.Name(id=name), attr=field) if name in env:
                return f"{local(name)}.{local(field)}"
            case ast.Attribute(value=of, attr=member) if isinstance(enum := self.source.resolve(of), EnumMeta):
                return value(enum[member])
            case ast.BoolOp(values=parts):
                return self.chosen(node, parts, env)
            case ast.UnaryOp(op=ast.Not()):
                return self.truth(node, env)
            case ast.UnaryOp(op=ast.USub(), operand=part):
                return f"(-{self.number(part, env)})"
            case ast.Compare(left=left, ops=ops, comparators=rest):
                pairs = zip([left, *rest], ops, rest, strict=False)
                texts = [self.relation(node, a, op, b, env) for a, op, b in pairs]
                return texts[0] if len(texts) == 1 else f"({AND.join(texts)})"
            case ast.IfExp(test=test, body=then, orelse=other):
                of = self.type(node, env)
                chosen = [self.value_of(of, part, env) for part in (then, other)]
                return f"(IF {self.truth(test, env)} THEN {chosen[0]} ELSE {chosen[1]})"
            case ast.BinOp(left=left, op=op, right=right):
                return self.operation(node, left, op, right, env)
            case ast.Subscript(value=of, slice=part):
                return self.part(node, of, part, env)
            case ast.Tuple(elts=parts):
                return sequence(self.value(part, env) for part in parts)
            case ast.Set(elts=parts):
                return braced(self.value(part, env) for part in parts)
            case ast.Dict(keys=keys, values=parts):
                every = zip(keys, parts, strict=True)
                return function([(self.value(k, env), self.value(v, env)) for k, v in every if k])
            case ast.SetComp(elt=elt, generators=generators):
                return self.set(generators, lambda env: self.value(elt, env), env)
            case ast.DictComp(key=key, value=part, generators=generators):
                return self.map(key, part, generators, env)
            case ast.Call(func=func, args=args, keywords=keywords):
                return self.call(node, self.source.resolve(func), args, keywords, env)
        raise self.source.bad(node, "it has no counterpart in TLA+")

    def chosen(self, node: ast.BoolOp, parts: list[ast.expr], env: Env) -> str:
        """`a and b`, with the value of one of its operands."""
        if all(kind(self.type(part, env)) == "bool" for part in parts):
            return self.truth(node, env)
        of = self.type(node, env)
        text = self.value_of(of, parts[-1], env)
        for part in reversed(parts[:-1]):
            own = self.value_of(of, part, env)
            then, other = (text, own) if isinstance(node.op, ast.And) else (own, text)
            text = f"(IF {self.truth(part, env)} THEN {then} ELSE {other})"
        return text

    def relation(self, node: ast.expr, a: ast.expr, op: ast.cmpop, b: ast.expr, env: Env) -> str:
        if isinstance(op, ast.In | ast.NotIn):
            found = f"({self.value(a, env)} \\in {self.domain(b, env).elements})"
            return found if isinstance(op, ast.In) else f"(~{found})"
        kinds = {self.kind(a, env), self.kind(b, env)}
        equality = {ast.Eq: "=", ast.NotEq: "#"}.get(type(op))
        counted = kinds <= {"bool", "number"} and not (equality and len(kinds) == 1)
        left, right = [self.number(part, env) if counted else self.value(part, env) for part in (a, b)]
        if equality and len({of.removeprefix(OPTIONAL) for of in kinds}) > 1 and not counted:
            raise self.no_meaning(node, *sorted(kinds))
        if equality or counted:
            return f"({left} {equality or RELATIONS[type(op)]} {right})"
        sign = RELATIONS[type(op)]
        if sign in (">", ">="):
            left, right, sign = right, left, sign.replace(">", "<")
        if kinds == {"set"}:
            return SETS[sign].format(left, right)
        if kinds == {"tuple"} and self.counts(a, env) and self.counts(b, env):
            return TUPLES[sign].format(left, right)
        raise self.no_meaning(node, *sorted(kinds))

    def counts(self, node: ast.expr, env: Env) -> bool:
        """Whether the parts of a tuple are numbers."""
        return all(kind(of) == "number" for of in get_args(self.type(node, env)) if of is not ...)

    def operation(self, node: ast.expr, a: ast.expr, op: ast.operator, b: ast.expr, env: Env) -> str:
        kinds = (self.kind(a, env), self.kind(b, env))
        match op, kinds:
            case ast.Add(), ("tuple", "tuple"):
                return f"({self.value(a, env)} \\o {self.value(b, env)})"
            case ast.Sub(), ("set", "set"):
                return f"({self.value(a, env)} \\ {self.value(b, env)})"
            case ast.BitOr(), ("set", "set"):
                return f"({self.value(a, env)} \\cup {self.value(b, env)})"
            case ast.BitOr(), ("map", "map"):
                return f"({self.value(b, env)} @@ {self.value(a, env)})"
            case ast.Add() | ast.Sub(), _ if set(kinds) <= {"number", "bool"}:
                sign = "+" if isinstance(op, ast.Add) else "-"
                return f"({self.number(a, env)} {sign} {self.number(b, env)})"
        raise self.no_meaning(node, *kinds)

    def part(self, node: ast.expr, of: ast.expr, part: ast.expr, env: Env) -> str:
        text = self.value(of, env)
        match self.kind(of, env):
            case "tuple" if isinstance(part, ast.Slice):
                return f"{'First' if slice_of(part) == 'first' else 'Rest'}({text})"
            case "tuple":
                return f"At({text}, {self.number(part, env)})"
            case "map":
                return f"{text}[{self.value(part, env)}]"
        raise self.no_meaning(node, self.kind(of, env))

    # --- comprehensions ------------------------------------------------------------------------------------

    def filtered(self, generator: ast.comprehension, env: Env) -> tuple[str, Env]:
        """`x \\in {x \\in S : p}`, and the names that are visible then."""
        domain = self.domain(generator.iter, env)
        inner = {**env, **bound(generator.target, domain.of)}
        x, text = names(generator.target), domain.elements
        if generator.ifs:
            text = f"{{{x} \\in {text} : {self.condition(generator.ifs, inner)}}}"
        return f"{x} \\in {text}", inner

    def condition(self, tests: list[ast.expr], env: Env) -> str:
        return AND.join(self.truth(test, env) for test in tests)

    def set(self, generators: list[ast.comprehension], part: Callable[[Env], str], env: Env) -> str:
        """The set of the values of `part`."""
        binder, inner = self.filtered(generators[0], env)
        if len(generators) > 1:
            return f"UNION {{{self.set(generators[1:], part, inner)} : {binder}}}"
        return f"{{{part(inner)} : {binder}}}"

    def map(self, key: ast.expr, part: ast.expr, generators: list[ast.comprehension], env: Env) -> str:
        match key, generators:
            case ast.Name(id=name), [ast.comprehension(target=ast.Name(id=same)) as only] if name == same:
                binder, inner = self.filtered(only, env)
                return f"[{binder} |-> {self.value(part, inner)}]"
        pair = self.set(generators, lambda env: sequence([self.value(key, env), self.value(part, env)]), env)
        return f"MapOf({pair})"

    def quantified(self, sign: str, generators: list[ast.comprehension], elt: ast.expr, env: Env) -> str:
        if not generators:
            return self.truth(elt, env)
        domain = self.domain(generators[0].iter, env)
        inner = {**env, **bound(generators[0].target, domain.of)}
        text = self.quantified(sign, generators[1:], elt, inner)
        if tests := generators[0].ifs:
            text = f"({self.condition(tests, inner)}) {'=>' if sign == FORALL else AND.strip()} {text}"
        return f"({sign} {names(generators[0].target)} \\in {domain.elements} : {text})"

    def sum(self, generators: list[ast.comprehension], elt: ast.expr, env: Env) -> str:
        """A sum counts every element of a sequence: the bound name is its index then."""
        if not generators:
            return self.number(elt, env)
        first = generators[0]
        domain = self.domain(first.iter, env)
        inner = {**env, **bound(first.target, domain.of)}
        over = self.new()
        here = over
        if domain.sequence:
            here = f"{domain.text}[{over}]"
        parts = [first.target] if isinstance(first.target, ast.Name) else first.target.elts  # type: ignore[attr-defined]
        given = [f"{names(part)} == {here}{f'[{n}]' if len(parts) > 1 else ''}" for n, part in enumerate(parts, 1)]
        let = f"LET {' '.join(given)} IN "
        text = f"DOMAIN {domain.text}" if domain.sequence else domain.text
        if first.ifs:
            text = f"{{{over} \\in {text} : {let}{self.condition(first.ifs, inner)}}}"
        return f"Sum([{over} \\in {text} |-> {let}{self.sum(generators[1:], elt, inner)}])"

    # --- calls ---------------------------------------------------------------------------------------------

    def call(self, node: ast.Call, called: object, args: list[ast.expr], keywords: list[ast.keyword], env: Env) -> str:
        words = {str(word.arg): self.value(word.value, env) for word in keywords}
        match args:
            case [ast.GeneratorExp(elt=elt, generators=generators)] if called is sum:
                return self.sum(generators, elt, env)
            case [ast.GeneratorExp(elt=elt, generators=generators)]:
                return self.quantified(FORALL if called is all else EXISTS, generators, elt, env)
            case [part] if called is len:
                return self.length(part, env)
            case [*parts] if called in EXTREMES:
                found = self.number(parts[-1], env)
                for part in reversed(parts[:-1]):
                    found = f"{'Max' if called is max else 'Min'}({self.number(part, env)}, {found})"
                return found
            case [*parts] if called is frozenset:
                if parts and self.kind(parts[0], env) != "set":
                    raise self.no_meaning(node, self.kind(parts[0], env))
                return self.value(parts[0], env) if parts else "{}"
            case [state] if called is dataclasses.replace:
                changes = ", ".join(f"!.{local(name)} = {text}" for name, text in words.items())
                return f"[{self.value(state, env)} EXCEPT {changes}]" if words else self.value(state, env)
        if isinstance(called, type) and dataclasses.is_dataclass(called):
            every = dataclasses.fields(called)
            return record({local(part.name): words.get(part.name) or self.default(node, part) for part in every})
        if (helper := self.source.helper(node)) is None:
            raise self.source.bad(node, "a call that has no counterpart in TLA+")
        types = hints(helper).values()
        given = ", ".join(self.value_of(of, arg, env) for of, arg in zip(types, args, strict=False))
        return f"{self.name(helper)}({given})" if args else self.name(helper)

    def default(self, node: ast.Call, part: dataclasses.Field[Any]) -> str:
        if part.default is dataclasses.MISSING:
            raise self.source.bad(node, f"a field without a value, {part.name}: write {part.name}=...")
        return value(part.default)

    def length(self, part: ast.expr, env: Env) -> str:
        domain = self.domain(part, env)
        return f"Len({domain.text})" if domain.sequence else f"Cardinality({domain.text})"


def conditional(test: str, then: str, other: str, depth: int) -> str:
    pad = "\n" + "    " * depth
    return f"(IF {test}{pad}THEN {then}{pad}ELSE {other})"
