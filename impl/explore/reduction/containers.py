"""Accesses to the state of the program: collections and their keys, attributes of objects, and iterators.

A key of a dictionary or a set is a cell if its value alone finds it (kinds.plain_key), and so is an index of a list
within its bounds.  Inserting and removing a key also changes the order of the keys in an iteration.
"""

from __future__ import annotations

from collections import defaultdict
from types import AsyncGeneratorType, GeneratorType, MethodType, ModuleType
from typing import Final

from .footprint import log
from .kinds import (
    CONTAINERS,
    LAZY,
    MAPPINGS,
    PLAIN,
    SEQUENCES,
    SETS,
    Value,
    attributes,
    is_constant,
    is_container,
    is_foreign,
    is_of_the_loop,
    is_own,
    is_transparent,
    own_classes,
    own_namespaces,
    plain_key,
)

#: Methods of collections by effect; those that are in no set change the collection and look at their arguments.
_READS_KEY: Final = frozenset({"get", "__contains__", "__getitem__"})
_WRITES_KEY: Final = frozenset({"pop", "setdefault", "add", "discard", "remove", "__setitem__", "__delitem__"})
_LOOKS: Final = frozenset(
    {
        "copy", "count", "index", "union", "difference", "intersection", "symmetric_difference", "issubset",
        "issuperset", "isdisjoint", "most_common", "elements", "total", "__len__", "decode", "startswith", "endswith",
        "find", "hex",
    }
)  # fmt: skip
_VIEWS: Final = frozenset({"keys", "values", "items", "__iter__", "__reversed__"})
_TAKES: Final = frozenset({"append", "appendleft", "insert", "clear", "popleft", "popitem", "rotate", "reverse"})


def foreign(thing: Value, write: bool, how: str = "") -> None:
    """For a report only: a thing was used that is not understood, by the method `how`, or in another way."""
    kind = type(thing)
    if log.accesses is not None and kind not in PLAIN and not is_of_the_loop(kind.__module__):
        log.foreign(thing, write, how)


def new(value: Value) -> Value:
    """A value that was made, or came out of a call: it gets a name if it can have state."""
    kind = type(value)
    log.let_go()
    if kind in PLAIN:
        return value
    if kind in CONTAINERS or id(kind) in own_classes or kind is GeneratorType or kind is AsyncGeneratorType:
        log.made(value)
    return value


def has_key(thing: Value, key: Value) -> bool:
    """Whether an item of the collection is found by this key."""
    if issubclass(type(thing), list):
        return type(key) is int and 0 <= key < len(thing)
    return key in thing


def has_cells(thing: Value, key: Value) -> bool:
    """Whether this key of this collection is a cell of its own."""
    kind = type(thing)
    if kind in MAPPINGS or kind in SETS:
        return plain_key(key)
    return kind is list and type(key) is int and 0 <= key < len(thing)


def read_item(thing: Value, key: Value) -> None:
    """`thing[key]` is about to be looked up."""
    if not is_container(thing):
        return
    if not has_cells(thing, key):
        log.read_all(thing)
        use(key)
        if type(thing) is defaultdict:
            log.write_all(thing)
    elif type(thing) is defaultdict and key not in thing:
        log.write_key(thing, key, True)
    else:
        log.read_key(thing, key)


def write_item(thing: Value, key: Value, removes: bool = False) -> None:
    """`thing[key]` is about to be set or removed."""
    if not is_container(thing):
        if not is_own(thing):
            log.not_understood()
            foreign(thing, True)
    elif not has_cells(thing, key) or (removes and type(thing) in SEQUENCES):
        log.write_all(thing)
        use(key)
    else:
        log.write_key(thing, key, removes or not has_key(thing, key))


def call_method(thing: Value, name: str, args: tuple[Value, ...], keywords: dict[str, Value]) -> None:
    """A method of a collection is about to be called."""
    kind = type(thing)
    keyed = (kind in MAPPINGS or kind in SETS) and bool(args) and plain_key(args[0])
    if keyed and name in _READS_KEY:
        log.read_key(thing, args[0])
    elif keyed and name in _WRITES_KEY:
        present = args[0] in thing
        if name in ("add", "setdefault") and present:
            log.read_key(thing, args[0])
        elif present or name in ("add", "setdefault", "__setitem__"):
            log.write_key(thing, args[0], not present or name != "__setitem__")
        else:  # nothing to remove
            log.read_key(thing, args[0])
    elif name in _LOOKS or name in _READS_KEY:
        use(thing)
        for arg in args:
            use(arg)
    elif name in _VIEWS:
        pass  # `behind` remembers its collection
    else:
        log.write_all(thing)
        if name not in _TAKES:  # it iterates over its arguments, or compares with them
            for arg in (*args, *keywords.values()):
                if callable(arg) and not issubclass(type(arg), type):
                    log.not_understood()
                consume(arg)
            use(thing)


def looks_at(result: Value, *things: Value) -> Value:
    """Remember the collection behind an iterator or a view."""
    if type(result) in LAZY:
        log.made(result).behind = things
    return result


def use(value: Value) -> None:
    """A value was compared, formatted or copied: everything in it may have been looked at."""
    kind = type(value)
    if kind in PLAIN:
        return
    _use(value, set())


def _use(value: Value, seen: set[int]) -> None:
    kind = type(value)
    if kind in PLAIN or id(value) in seen:
        return
    seen.add(id(value))
    if is_container(value):
        log.read_all(value)
        if issubclass(kind, dict):
            for key, held in list(value.items()):
                _use(key, seen)
                _use(held, seen)
        elif kind is not bytearray:
            for held in list(value):
                _use(held, seen)
    elif issubclass(kind, tuple | frozenset):
        for held in value:
            _use(held, seen)
    elif kind in LAZY:
        _use_lazy(value, seen)
    elif id(kind) in own_classes:
        if hasattr(kind, "__dataclass_fields__"):  # its methods were generated
            use_attributes(value)
            for name in kind.__dataclass_fields__:
                _use(getattr(value, name, None), seen)
        elif not is_transparent(kind):
            log.not_understood()
    elif issubclass(kind, BaseException):
        _use(value.args, seen)
    elif kind is MethodType or kind is slice:
        for held in (value.__self__,) if kind is MethodType else (value.start, value.stop, value.step):
            _use(held, seen)
    elif not is_constant(value):
        log.not_understood()
        foreign(value, False)


def _use_lazy(value: Value, seen: set[int]) -> None:
    for thing in _behind(value):
        _use(thing, seen)


def _behind(value: Value) -> tuple[Value, ...]:
    """The collection behind an iterator or a view."""
    named = log.known(value)
    if named is None or named.behind is None:
        log.not_understood()
        return ()
    return named.behind


def use_attributes(thing: Value) -> None:
    """All attributes of an object may have been looked at."""
    if is_own(thing):
        log.read_all(thing)


def consume(value: Value) -> None:
    """A value is iterated over to its end, within this step, and its items are looked at."""
    iterate(value)
    use(value)


def iterate(value: Value) -> None:
    """The next item of a value is taken, or all within this step."""
    kind = type(value)
    if kind in PLAIN or kind is tuple or kind is frozenset:
        return
    if is_container(value):
        log.read_all(value)
    elif (kind is GeneratorType or kind is AsyncGeneratorType) and not is_foreign(value):
        log.write_all(value)
    elif kind in LAZY:
        log.write_all(value)
        for thing in _behind(value):
            iterate(thing)
    elif not (is_own(value) and is_transparent(kind)) and not issubclass(kind, tuple | frozenset | type):
        log.not_understood()  # the others: a named tuple, the members of an Enum
        foreign(value, True)


def read_attribute(thing: Value, name: str) -> None:
    """An attribute of an object of the program is about to be looked up."""
    if issubclass(type(thing), type):
        if id(thing) in own_classes and not _read_class(thing, name):
            _read_class(type(thing), name)
        return
    kind = type(thing)
    if kind is ModuleType:
        if id(vars(thing)) in own_namespaces:
            log.read_variable(name)
        else:
            foreign(thing, False)
        return
    if id(kind) in own_classes:
        log.read_key(thing, name)
        if name not in attributes(thing):
            _read_class(kind, name)
        return
    foreign(thing, False)
    if type(getattr(kind, name, None)) is property and not _is_harmless(kind):
        log.not_understood()


def _read_class(cls: type, name: str) -> bool:
    """An attribute is looked up in a class and its bases; returns whether one of the program has it."""
    for each in cls.__mro__:
        if id(each) in own_classes:
            log.read_key(each, name)
            if name in each.__dict__:
                return True
    return False


def _is_harmless(kind: type) -> bool:
    """Whether the properties of a class change nothing: those of the standard library and of this package."""
    module = kind.__module__ or ""
    return module.startswith(
        (__name__.split(".", 1)[0] + ".", "asyncio", "_asyncio", "builtins", "enum", "datetime", "pathlib")
    )


def write_attribute(thing: Value, name: str) -> None:
    """An attribute is about to be set or removed."""
    if issubclass(type(thing), type):
        if id(thing) in own_classes:
            log.write_key(thing, name, name not in thing.__dict__)
        else:
            log.not_understood()
            foreign(thing, True)
    elif is_own(thing):
        log.write_key(thing, name, bool(type(thing).__dictoffset__) and name not in attributes(thing))
    else:
        log.not_understood()
        foreign(thing, True)
