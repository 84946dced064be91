"""The functions that a rewritten program calls in the place of its expressions; each records its accesses.

rewrite.py inserts the calls, under the names of `HELPERS`.  Every function evaluates its expression, so a program
behaves as before.  All else goes to `log.not_understood`, which conflicts with everything: too careful,
never too bold.
"""

from __future__ import annotations

import gc
from collections import deque
from types import GeneratorType, ModuleType
from typing import Final

from .arguments import begins, passes
from .containers import (
    call_method,
    consume,
    foreign,
    iterate,
    looks_at,
    new,
    read_attribute,
    read_item,
    use,
    use_attributes,
    write_attribute,
    write_item,
)  # fmt: skip
from .footprint import log
from .kinds import (
    BINARY,
    BLIND,
    COMPARISONS,
    CONTAINERS,
    DEFERRED,
    INPLACE,
    PLAIN,
    Value,
    attributes,
    is_container,
    is_foreign,
    is_own,
    is_pure,
    is_rewritten,
    own_classes,
    plain_key,
    runs_rewritten,
)  # fmt: skip
from .stand_ins import each, each_later, entered, returned, steps

# --- variables and operators ---------------------------------------------------------------------------------


def variable(name: str, value: Value) -> Value:
    """A variable that functions share was read."""
    log.read_variable(name)
    return value


def assigned(name: str) -> None:
    """A variable that functions share was set or removed."""
    log.write_variable(name)


def used(value: Value) -> Value:
    """A value that is looked at in a way that no other helper knows."""
    if type(value) not in PLAIN:
        use(value)
    return value


def tested(value: Value) -> Value:
    """A value in a condition: of a collection, whether it is empty."""
    if type(value) in PLAIN or issubclass(type(value), tuple | frozenset):
        return value
    if is_container(value):
        log.read_all(value)
    else:
        use(value)
    return value


def binary(operator: str, left: Value, right: Value) -> Value:
    if type(left) not in PLAIN or type(right) not in PLAIN:
        use(left)
        use(right)
        return new(BINARY[operator](left, right))
    return BINARY[operator](left, right)


def inplace(operator: str, left: Value, right: Value) -> Value:
    """The new value for `left` of `left += right`."""
    if type(left) in PLAIN and type(right) in PLAIN:
        return INPLACE[operator](left, right)
    if is_container(left):
        log.write_all(left)
    else:
        use(left)
    consume_if_iterable(right)
    return new(INPLACE[operator](left, right))


def consume_if_iterable(value: Value) -> None:
    if type(value) not in PLAIN and hasattr(type(value), "__iter__"):
        consume(value)


def compare(operator: str, left: Value, right: Value) -> Value:
    if type(left) not in PLAIN or type(right) not in PLAIN:
        use(left)
        use(right)
    return COMPARISONS[operator](left, right)


def contains(key: Value, where: Value) -> bool:
    """`key in where`."""
    kind = type(where)
    if kind not in PLAIN:
        if is_container(where) and issubclass(type(where), dict | set) and plain_key(key):
            log.read_key(where, key)
        else:
            use(key)
            consume_if_iterable(where)
            use(where)
    return key in where


def after_await(value: Value) -> Value:
    """The value of an expression that waits between its parts: earlier parts may be looked at only now."""
    log.not_understood()
    return value


# --- attributes and items ------------------------------------------------------------------------------------


def attribute(thing: Value, name: str) -> Value:
    """`thing.name`."""
    read_attribute(thing, name)
    return getattr(thing, name)


def setting(thing: Value, name: str) -> Value:
    """`thing`; one of its attributes is about to be set or removed."""
    write_attribute(thing, name)
    return thing


def item(thing: Value, key: Value) -> Value:
    """`thing[key]`."""
    kind = type(thing)
    if kind in PLAIN or issubclass(type(thing), tuple | type) or kind.__module__ in ("types", "typing"):
        return thing[key]
    if is_container(thing):
        fresh = type(key) is slice or (issubclass(type(thing), dict) and plain_key(key) and key not in thing)
        read_item(thing, key)
        return new(thing[key]) if fresh else thing[key]
    if not is_own(thing):
        log.not_understood()
        foreign(thing, False)
    return thing[key]


class Place:
    """`thing[key]` as a target: an assignment to any index of this object goes there."""

    __slots__ = ("_key", "_thing")

    def __init__(self, thing: Value, key: Value) -> None:
        self._thing = thing
        self._key = key

    def __setitem__(self, _: int, value: Value) -> None:
        if type(self._key) is slice:
            consume_if_iterable(value)
        write_item(self._thing, self._key)
        self._thing[self._key] = value
        log.let_go()

    def __delitem__(self, _: int) -> None:
        write_item(self._thing, self._key, removes=True)
        del self._thing[self._key]
        log.let_go()


# --- calls ---------------------------------------------------------------------------------------------------


#: Functions that a runtime replaces in calls of the program: of classes in C, for their objects record nothing.
substitutes: Final[dict[Value, Value]] = {}


def call(fn: Value, /, *args: Value, **keywords: Value) -> Value:
    """`fn(...)`."""
    log.let_go()
    if substitutes and type(fn) is type and fn in substitutes:
        fn = substitutes[fn]
        return fn(*args, **keywords)
    bound = getattr(fn, "__self__", None)
    if bound is not None and type(bound) is not ModuleType and is_container(bound):
        return _call_container(bound, fn.__name__, fn, args, keywords)
    if runs_rewritten(fn):
        if id(fn) in own_classes and issubclass(fn, tuple | frozenset | dict | set | list | deque | bytearray):
            for arg in args:
                consume_if_iterable(arg)
        passes(fn, args, keywords)
        return new(fn(*args, **keywords))
    special = _SPECIAL.get(fn) if type(fn) is type(len) else None
    if special is not None:
        return special(*args, **keywords)
    if issubclass(type(fn), type | type(len)) or is_pure(fn):
        if fn in BLIND:
            return new(fn(*args, **keywords))
        if fn in DEFERRED:
            if fn in (map, filter) and not (args[0] is None or _is_harmless_function(args[0])):
                log.not_understood()
            if fn is filter:
                args = (_looked_through(args[0]), *args[1:])
            return looks_at(fn(*args, **keywords), *(args[1:] if fn in (map, filter) else args))
        if is_pure(fn):
            for arg in (*args, *keywords.values()):
                if callable(arg):
                    if not _is_harmless_function(arg):
                        log.not_understood()
                elif type(arg) is GeneratorType or fn is not len:
                    consume_if_iterable(arg)
                    use(arg)
                else:
                    tested(arg)
            if fn not in _MOVING:
                args = tuple(map(_looked_through, args))
                keywords = {name: _looked_through(value) for name, value in keywords.items()}
            return new(fn(*args, **keywords))
    if type(bound) in PLAIN and bound is not None:  # ", ".join(xs)
        for arg in (*args, *keywords.values()):
            consume_if_iterable(arg)
        return new(fn(*args, **keywords))
    log.not_understood()
    for thing in (*args, *keywords.values()) if bound is None or type(bound) is ModuleType else (bound,):
        foreign(thing, True, fn.__name__ if thing is bound else "")
    return new(fn(*args, **keywords))


#: Functions that look at no item of an iterator.
_MOVING: Final = frozenset({list, tuple, deque, repr, str, id, len})


def _looked_through(value: Value) -> Value:
    """A function or a generator of the program; a builtin looks at each of its results."""
    if is_rewritten(value):
        return lambda *args: used(value(*args))
    if type(value) is GeneratorType and not is_foreign(value):
        return (used(each) for each in value)
    return value


def _is_harmless_function(fn: Value) -> bool:
    return (
        runs_rewritten(fn) or is_pure(fn) or (issubclass(type(fn), type) and id(fn) not in own_classes and fn in BLIND)
    )


def recording(fn: Value) -> Value:
    """A function of the program that the loop calls, and tests the result of: both are recorded."""
    return lambda *args: tested(call(fn, *args))


def method(thing: Value, name: str, /, *args: Value, **keywords: Value) -> Value:
    """`thing.name(...)`."""
    kind = type(thing)
    if kind in CONTAINERS:
        return _call_container(thing, name, getattr(thing, name), args, keywords)
    read_attribute(thing, name)
    return call(getattr(thing, name), *args, **keywords)


def _call_container(thing: Value, name: str, fn: Value, args: tuple[Value, ...], keywords: dict[str, Value]) -> Value:
    if runs_rewritten(fn):  # of a class that derives from a collection
        return new(fn(*args, **keywords))
    call_method(thing, name, args, keywords)
    return looks_at(new(fn(*args, **keywords)), thing)


def _getattr(thing: Value, name: str, *default: Value) -> Value:
    read_attribute(thing, name)
    return getattr(thing, name, *default)


def _hasattr(thing: Value, name: str) -> bool:
    read_attribute(thing, name)
    return hasattr(thing, name)


def _setattr(thing: Value, name: str, value: Value) -> None:
    write_attribute(thing, name)
    setattr(thing, name, value)


def _delattr(thing: Value, name: str) -> None:
    write_attribute(thing, name)
    delattr(thing, name)


def _next(iterator: Value, *default: Value) -> Value:
    iterate(iterator)
    return next(iterator, *default)


def _collect(*generation: Value) -> int:
    """gc.collect: cycles die that the log lists; then objects have no names of their own any more."""
    log.abandon()
    return gc.collect(*generation)


_SPECIAL: Final[dict[Value, Value]] = {
    getattr: _getattr, hasattr: _hasattr, setattr: _setattr, delattr: _delattr, next: _next,
    gc.collect: _collect,
}  # fmt: skip


def awaited(value: Value) -> Value:
    """The operand of `await`."""
    log.let_go()
    begins(value)
    return value


def matched(value: Value) -> Value:
    """The subject of `match`: patterns look at its attributes."""
    use(value)
    use_attributes(value)
    return value


def tried(thing: Value, looks: tuple[Value, ...]) -> bool:
    """A `case` is about to be tried: its class patterns look at attributes (rewrite.py says how they are given)."""
    for cls, parts in looks:
        if is_own(thing) and isinstance(thing, cls):
            for part, inner in parts:
                name = cls.__match_args__[part] if isinstance(part, int) else part
                read_attribute(thing, name)
                tried(attributes(thing).get(name), inner)
    return False


def unknown(value: Value) -> Value:
    """The value of an expression that is not understood."""
    log.not_understood()
    return value


# --- classes -------------------------------------------------------------------------------------------------


def own_class(cls: Value) -> Value:
    """A class of the program, with its decorators applied."""
    if issubclass(type(cls), type):
        log.class_made(cls)
    return cls


def died() -> None:
    """`__del__` of a class of the program begins."""
    log.died()


def constructed(thing: Value) -> None:
    """`__init__` of a class of the program begins."""
    if is_own(thing):
        log.made(thing)


#: The helpers by the names under which a rewritten module calls them.
HELPERS: Final[dict[str, Value]] = {
    f"_ls_{helper.__name__.lower()}": helper
    for helper in (
        variable, assigned, used, tested, binary, inplace, compare, contains, after_await, attribute, setting, item,
        Place, each, returned, steps, each_later, call, method, awaited, entered, matched, tried, unknown, own_class,
        constructed, died, new, slice,
    )
}  # fmt: skip
