"""Types of expressions, as far as a reader needs them: is + a sum or a concatenation, is == an equivalence?

Parameters and fields are annotated, so the type of nearly every expression of the subset follows from its parts.  A
type that does not follow is None, and nothing is assumed of it.  `Roles` says which parameters are the constants, the
state and the next state: those that a formula need not name.
"""

# ruff: noqa: RUF001  (the signs are meant: they are mathematics)

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator, Mapping
from enum import EnumMeta
from functools import cache
from types import FunctionType
from typing import Any, get_args, get_origin, get_type_hints

from ..core import Map
from .source import EXTREMES, Source, Untranslatable, at

Env = Mapping[str, Any]  # Any: types as `typing` gives them have no common type


@cache
def hints(of: Any) -> Mapping[str, Any]:
    """The annotations of a function or of a dataclass.  Raises Untranslatable for one that cannot be evaluated."""
    try:
        return get_type_hints(of)
    except Exception as error:  # an annotation is any expression
        why = f"what are its types? {error}: name them in its module"
        refused = at(of, why) if isinstance(of, FunctionType) else Untranslatable(f"{of.__qualname__}: {why}")
        raise refused from error


def is_record(of: Any) -> bool:
    """Whether it is a type of constants or states, a dataclass."""
    return isinstance(of, type) and dataclasses.is_dataclass(of)


@dataclasses.dataclass(frozen=True)
class Roles:
    """The names of a function's parameters: constants, state, next state (None if it has none), and the others."""

    k: str | None
    s: str | None
    t: str | None
    params: tuple[str, ...]
    others: tuple[str, ...]


@cache
def roles(fn: FunctionType) -> Roles:
    """The parameter that is called k, then the first dataclass, then another of the same type."""
    params = fn.__code__.co_varnames[: fn.__code__.co_argcount]
    types = hints(fn)
    k = "k" if "k" in params else None
    states = [name for name in params if name != k and is_record(types.get(name))]
    s = states[0] if states else None
    t = next((name for name in states[1:] if types[name] is types[states[0]]), None)
    return Roles(k, s, t, params, tuple(name for name in params if name not in (k, s, t)))


def element(of: Any) -> Any:
    """The type of the elements of a set, a sequence, or the successors of a helper."""
    args = get_args(of)
    return args[0] if get_origin(of) in (frozenset, tuple, Map, Iterator) and args else None


def is_sequence(of: Any) -> bool:
    return tuple in (of, get_origin(of))


def is_set(of: Any) -> bool:
    return frozenset in (of, get_origin(of))


def set_name(of: Any) -> str:
    """The notation of a type as a set."""
    if of in (int, bool):
        return "Int" if of is int else "Bool"
    args: tuple[Any, ...] = get_args(of)
    if is_sequence(of):
        return f"Seq({set_name(args[0])})" if args[-1] is ... else " × ".join(map(set_name, args))
    if is_set(of):
        return f"Set({set_name(args[0])})"
    if get_origin(of) is Map:
        return f"{set_name(args[0])} → {set_name(args[1])}"
    return " ∪ ".join(map(set_name, args)) if args else str(getattr(of, "__name__", of))


def head(fn: FunctionType, *, typed: bool = False) -> str:
    """A function's name and parameters; `typed`: each with its set."""
    types = hints(fn)
    params = [f"{name} ∈ {set_name(types[name])}" if typed else name for name in roles(fn).others]
    return f"{fn.__name__}({', '.join(params)})" if params else fn.__name__


def bound(target: ast.expr, of: Any) -> dict[str, Any]:
    """The types of the names of a target, x or (x, y), that stands for a value of that type."""
    if isinstance(target, ast.Name):
        return {target.id: of}
    parts = get_args(of)
    names = [part.id for part in getattr(target, "elts", []) if isinstance(part, ast.Name)]
    types = parts[:1] * len(names) if ... in parts else parts
    return dict(zip(names, types or [None] * len(names), strict=False))


def type_of(node: ast.expr, source: Source, env: Env) -> Any:
    """The type of a value in a function where the names of `env` have these types; None if it is not known."""
    match node:
        case ast.Name(id=name):
            return env.get(name)
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return bool
        case ast.Constant(value=value):
            return type(value)
        case ast.Attribute(value=ast.Name(id=name), attr=field) if is_record(env.get(name)):
            return hints(env[name]).get(field)
        case ast.Attribute(value=of) if isinstance(enum := source.resolve(of), EnumMeta):
            return enum
        case ast.UnaryOp(operand=of):
            return counted(type_of(of, source, env))
        case ast.Subscript(value=of, slice=ast.Slice()):
            return type_of(of, source, env)
        case ast.Subscript(value=of, slice=key):
            return part_of(type_of(of, source, env), key)
        case ast.IfExp(body=left, orelse=right):
            return common([type_of(part, source, env) for part in (left, right)])
        case ast.BinOp(left=left, right=right):
            return counted(common([type_of(part, source, env) for part in (left, right)]))
        case ast.BoolOp(values=parts):
            return common([type_of(part, source, env) for part in parts])
        case ast.Tuple(elts=parts):
            return made(tuple, [type_of(part, source, env) for part in parts])
        case ast.Set(elts=parts):
            return made(frozenset, [common([type_of(part, source, env) for part in parts])])
        case ast.Dict(keys=keys, values=parts):
            every = [key for key in keys if key], parts
            return made(Map, [common([type_of(part, source, env) for part in each]) for each in every])
        case ast.SetComp(elt=elt, generators=generators):
            return made(frozenset, [type_of(elt, source, inside(generators, source, env))])
        case ast.DictComp(key=key, value=part, generators=generators):
            inner = inside(generators, source, env)
            return made(Map, [type_of(each, source, inner) for each in (key, part)])
        case ast.Call(func=func, args=args):
            called = source.resolve(func)
            if called in (all, any):
                return bool
            if called in (len, sum):
                return int
            if called in EXTREMES:
                return counted(common([type_of(part, source, env) for part in args]))
            if called is dataclasses.replace:
                return type_of(args[0], source, env)
            if called is frozenset:
                return type_of(args[0], source, env) if args else frozenset
            if is_record(called):
                return called
            if helper := source.helper(node):
                return hints(helper).get("return")
    return None


def common(types: list[Any]) -> Any:
    """The type of values of these types: one that says the most; () and frozenset() are of every such type.

    A bool among numbers is a number.
    """
    known = [of for of in types if of is not None]
    known.sort(key=lambda of: (not get_args(of), of is bool))
    return known[0] if known else None


def counted(of: Any) -> Any:
    """The type of a result that was counted: True + True is 2."""
    return int if of is bool else of


def made(kind: Any, types: list[Any]) -> Any:
    """`tuple[X, Y]`, or the bare kind if a part is not known."""
    return kind[tuple(types)] if types and None not in types else kind


def part_of(of: Any, key: ast.expr) -> Any:
    """The type of `m[key]`."""
    args = get_args(of)
    if not is_sequence(of):
        return args[-1] if args else None
    match key:
        case ast.Constant(value=int(n)) if ... not in args:
            return args[n] if n < len(args) else None
    return args[0] if args and (... in args or len(set(args)) == 1) else None


def inside(generators: list[ast.comprehension], source: Source, env: Env) -> Env:
    """The types of the names that are visible in a comprehension."""
    for generator in generators:
        env = {**env, **bound(generator.target, element(type_of(generator.iter, source, env)))}
    return env
