"""The tables of opaque helpers: each call that a search makes, with its result.

No reader reads an opaque helper, so a module of TLA+ has it as a table of the values that Python gives it.  The calls
are recorded while every state and step is asked for every property.  TLC need not take elements in Python's order, so
`all` and `any` go to their ends meanwhile.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from itertools import product
from types import FunctionType
from typing import Any

from ..bounded import Refines
from ..model import Model
from ..render.source import helpers, roots
from .values import braced, sequence, value

# Any below: functions, states and values of any specification.

#: The calls of a helper in one model: the arguments, and the result, which of a generator is a list.
Rows = dict[tuple[Any, ...], Any]
#: For each opaque helper its calls in each model.
Tables = dict[Any, list[Rows]]
#: `all` and `any` that go to their ends.
EAGER = {"all": lambda every: all(list(every)), "any": lambda every: any(list(every))}
NEWLINE = "\n        "  # TLC's time to read a line grows with the square of its length


def tables(models: Sequence[Model[Any, Any]], refines: Refines | None, depth: int | None) -> Tables:
    """The tables of the opaque helpers of the models of an instance, in all states up to a depth (None: in all).

    A view is opaque, too: no property calls it, so it need not keep to the subset.
    """
    specs = [models[0].spec] + ([refines.high(models[0]).spec] if refines else [])
    opaque = [fn for spec in specs for fn in helpers(spec) if fn.__name__ in spec.opaque]
    found: Tables = {fn: [] for fn in [*opaque, *([refines.view] if refines else [])]}
    places = [fn.__globals__ for spec in specs for fn in [*roots(spec), *helpers(spec)]]
    for model in models if found else []:
        records = {fn: recorder(fn, rows) for fn, rows in found.items()}
        with replaced(records, places):
            ask(model, refines, depth, records)
    return found


@contextmanager
def replaced(records: dict[Any, Any], places: Iterable[dict[str, Any]]) -> Iterator[None]:
    """Put recorders into the places of the functions that are called by their names in these modules."""
    places = {id(place): place for place in places}.values()
    kept = [(place, {name: fn for name, fn in place.items() if isinstance(fn, FunctionType)}) for place in places]
    for place, functions in kept:
        place.update({name: records[fn] for name, fn in functions.items() if fn in records})
        place.update({name: eager for name, eager in EAGER.items() if name not in place})
    try:
        yield
    finally:
        for place, functions in kept:
            place.update(functions)
            for name in [name for name, eager in EAGER.items() if place[name] is eager]:
                del place[name]


def recorder(fn: Callable[..., Any], tables: list[Rows]) -> Callable[..., Any]:
    """The same function, which records its calls in a table of one more model."""
    rows: Rows = {}
    tables.append(rows)

    @wraps(fn)
    def record(*args: Any) -> Any:
        if args not in rows:
            result = fn(*args)
            rows[args] = list(result) if inspect.isgeneratorfunction(fn) else result
        return rows[args]

    return record


def ask(model: Model[Any, Any], refines: Refines | None, depth: int | None, records: dict[Any, Any]) -> None:
    """Ask for every property in every state and step, for the sake of the calls."""
    k, spec, seen = model.k, model.spec, dict.fromkeys(model.init, 0)
    high = refines.high(model) if refines else None
    for rule in spec.assumes.values():
        rule.fn(k)
    for s in (level := list(seen)):
        for rule in spec.inits.values():
            rule.fn(k, s)
        for goal in spec.progress.values():
            for args in product(*(model.domains[of] for of in goal.params)):
                (goal.fn(k, s, *args), goal.trigger and goal.trigger(k, s, *args))
        for rule, events in model.demands:
            for event in events:
                rule.fn(k, s, *event.args)
        model.broken(s)
        if refines and high:
            list(high.successors(records[refines.view](k, s)))
        for event, t in model.successors(s):
            model.broken(s, t, event)
            if t not in seen and (depth is None or seen[s] < depth):
                seen[t] = seen[s] + 1
                level.append(t)


def definition(name: str, fn: Any, tables: list[Rows], constants: list[Any]) -> tuple[list[str], str]:
    """The table of an opaque helper in each model, and its definition as an application of the table NAME_table.

    If the first argument is always the constants, as it should be, the table does without them.
    """
    models = list(zip(tables, constants, strict=True))
    first = int(all(args and args[0] is k for rows, k in models for args in rows))
    texts = []
    for rows in tables:
        keys = (sequence(map(value, args[first:])) for args in rows)
        results = (braced(map(value, r)) if isinstance(r, list) else value(r) for r in rows.values())
        pairs = (NEWLINE + sequence(pair) for pair in zip(keys, results, strict=True))
        texts.append(f"TLCEval(MapOf({braced(pairs)}))")
    params = [f"V_{n}" for n in range(fn.__code__.co_argcount)]
    head = f"{name}({', '.join(params)})" if params else name
    return texts, f"{head} == {name}_table[{sequence(params[first:])}]"
