"""The kind of value that an expression has, for footprints: the state that it may hold, and the code that it runs.

    plain       numbers, strings and the like: they never change
    container   the builtin and standard collections: one cell for each key, or one for all
    own         an instance of a class of the rewritten program: one cell for each attribute
    lazy        an iterator over containers that a builtin made: its use reads those
    known       an object of the loop, which records accesses to it (watch.py)

A value of no kind is not understood.  The kind is that of its type: `isinstance` and `getattr` may run code of the
program, such as `__class__` and `__getattr__` of a proxy.
"""

from __future__ import annotations

import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from contextlib import aclosing, closing, nullcontext, suppress
from contextvars import Context, ContextVar
from enum import Enum
from types import (
    AsyncGeneratorType,
    BuiltinMethodType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    GenericAlias,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    UnionType,
    WrapperDescriptorType,
)  # fmt: skip
from typing import Any, Final, TypeAlias

#: A value of the program: anything.
Value: TypeAlias = Any

PLAIN: Final = frozenset(
    {int, float, str, bytes, bool, type(None), complex, range, type(Ellipsis), type(NotImplemented)}
)

MAPPINGS: Final = frozenset({dict, Counter, defaultdict, OrderedDict})
SETS: Final[frozenset[type]] = frozenset({set})
SEQUENCES: Final[frozenset[type]] = frozenset({list, deque, bytearray})
CONTAINERS: Final[frozenset[type]] = MAPPINGS | SETS | SEQUENCES

#: Iterators and views of the builtins: `Lazy` below remembers their collections.
LAZY: Final = frozenset(
    {
        enumerate, zip, map, filter, reversed,
        type({}.keys()), type({}.values()), type({}.items()),
        type(OrderedDict().keys()), type(OrderedDict().values()), type(OrderedDict().items()),
        type(iter([])), type(iter({})), type(iter({}.values())), type(iter({}.items())), type(iter(set())),
        type(iter(deque())), type(reversed([])), type(reversed({})), type(reversed(deque())),
    }
)  # fmt: skip

#: Builtin functions that look at their arguments, through and through, and change none of them.
LOOKING: Final = frozenset(
    {
        sorted, sum, min, max, any, all, repr, str, print, ascii, format, hash, list, set, dict, tuple, frozenset,
        deque, Counter, OrderedDict, bytearray, bytes, len, int, float, bool, complex, abs, round, divmod, pow, ord,
        chr, hex, range, slice, defaultdict,
    }
)  # fmt: skip
#: Builtin functions with a result that looks at the arguments when it is used.
DEFERRED: Final = frozenset({enumerate, zip, map, filter, reversed, iter})
#: Builtin functions that look at no state.
BLIND: Final = frozenset(
    {isinstance, issubclass, id, type, callable, object, property, staticmethod, classmethod, super}
)
#: Modules of pure functions.
PURE_MODULES: Final = frozenset({"math", "cmath", "typing", "string", "fractions", "decimal", "_decimal"})

#: Modules of objects that never change and refer to nothing that does.
_CONSTANT_MODULES: Final = frozenset(
    {"datetime", "decimal", "fractions", "ipaddress", "pathlib", "re", "typing", "uuid", "zoneinfo"}
)
#: Kinds of objects that are compared and hashed by identity, with a repr that shows no more.
_BY_IDENTITY: Final = (
    object, GenericAlias, UnionType, FunctionType,
    BuiltinMethodType, ModuleType, CoroutineType, GeneratorType, AsyncGeneratorType, Context, ContextVar,
)  # fmt: skip
#: The attribute that has the frame.
_FRAMES: Final[dict[type, str]] = {
    CoroutineType: "cr_frame", GeneratorType: "gi_frame", AsyncGeneratorType: "ag_frame",
}  # fmt: skip
#: Modules of classes with special methods that only call those of the class that derives from them.
_BASES: Final = frozenset({"abc", "collections.abc", "contextlib", "enum", "typing"})
#: Special attributes that nothing calls when an object is looked at.
_NOT_CALLED: Final = frozenset(
    {"__class_getitem__", "__doc__", "__init__", "__init_subclass__", "__module__", "__new__", "__qualname__"}
)

#: Context managers that touch no state when they are made and entered; the first two leave none behind either.
MANAGERS: Final = frozenset({suppress, nullcontext, closing, aclosing})
_HARMLESS_MANAGERS: Final = frozenset({suppress, nullcontext})
_GENERATED: Final = frozenset({"_GeneratorContextManager", "_AsyncGeneratorContextManager"})

#: The modules of the loops' objects, which record accesses to them, within this package.
_OF_THE_LOOP: Final = (
    "tasks.", "sync.", "combinators.", "loop", "runners", "errors",
    "bridges.asyncio.tasks", "bridges.asyncio.scheduling", "bridges.asyncio.in_order",
    "explore.reduction.counting", "explore.reduction.futures", "explore.reduction.host_", "explore.reduction.watch",
    "explore.programs.primitives", "explore.programs.probes",
)  # fmt: skip
_OF_ASYNCIO: Final = frozenset(
    {
        "asyncio.locks", "asyncio.queues", "asyncio.tasks", "asyncio.taskgroups", "asyncio.timeouts", "asyncio.mixins",
        "asyncio.futures", "asyncio.coroutines", "asyncio.exceptions", "asyncio.events", "_asyncio",
    }
)  # fmt: skip

#: The module of asyncio's futures and tasks in C, which record nothing unless the loop made them (futures.py).
_IN_C: Final = "_asyncio"
#: The methods in C of watched futures and tasks that show no state.
_CONSTANT_METHODS: Final = frozenset({"get_loop", "get_context"})

#: The classes of the rewritten program, by id; each entry holds its class.
own_classes: Final[dict[int, type]] = {}
#: The ids of the namespaces of the modules that are rewritten now.
own_namespaces: Final[set[int]] = set()
#: The ids of the code that was rewritten, which lives as long as the process.
rewritten_codes: Final[set[int]] = set()


def package() -> str:
    """The name of this package, which an installed one may have changed."""
    return __name__.removesuffix(".explore.reduction.kinds")


_HANDLES: Final = (f"{package()}.bridges.asyncio.handles", "asyncio.events")
_IMPL: Final = tuple(f"{package()}.{name}" for name in _OF_THE_LOOP)


def is_of_the_loop(module: str | None) -> bool:
    """Whether a module's objects record their accesses, and its code touches no other state."""
    return module is not None and (module in _OF_ASYNCIO or module.startswith(_IMPL))


def attributes(thing: Value) -> dict[str, Value]:
    """The dictionary of an object, itself; no code of the program runs."""
    try:
        found = object.__getattribute__(thing, "__dict__")
    except AttributeError:
        return {}
    return found if type(found) is dict else {}


def is_own(thing: Value) -> bool:
    """Whether it is an instance of a class of the rewritten program."""
    return id(type(thing)) in own_classes


def is_container(thing: Value) -> bool:
    """Whether it is a builtin or standard collection, or of a class of the program that derives from one."""
    return is_container_class(type(thing))


def is_container_class(kind: type) -> bool:
    """Whether instances of a class are such collections."""
    return kind in CONTAINERS or (id(kind) in own_classes and issubclass(kind, dict | set | list | deque | bytearray))


def is_rewritten(fn: Value) -> bool:
    """Whether a function is of the rewritten program."""
    return type(fn) is FunctionType and id(fn.__code__) in rewritten_codes


def is_loops_function(fn: Value) -> bool:
    """Whether a Python function is of the loop: `wraps` changes its `__module__`, and not its globals."""
    return type(fn) is FunctionType and is_of_the_loop(fn.__globals__.get("__name__"))


def runs_rewritten(fn: Value) -> bool:
    """Whether calling `fn` runs code of the rewritten program, of the loop, or none that touches any state."""
    kind = type(fn)
    if kind is FunctionType:
        return id(fn.__code__) in rewritten_codes or is_loops_function(fn)
    if kind is MethodType:
        return runs_rewritten(fn.__func__)
    if issubclass(type(fn), type):
        return _makes_safely(fn)
    bound = getattr(fn, "__self__", None)
    if bound is not None and type(bound).__module__ == _IN_C:
        return False  # a future that the loop did not make
    if bound is not None and is_of_the_loop(type(bound).__module__):
        return fn.__name__ in _CONSTANT_METHODS
    return kind is BuiltinMethodType and is_of_the_loop(fn.__module__)


def _makes_safely(cls: type) -> bool:
    """Whether making an instance runs code of the program, or none that touches any state."""
    if issubclass(cls, BaseException):
        return True
    if is_of_the_loop(cls.__module__):
        return cls.__module__ != _IN_C
    if id(cls) not in own_classes:
        return cls in MANAGERS
    return all(_is_safe(getattr(cls, name), cls) for name in ("__init__", "__new__"))


def _is_safe(made_by: Value, cls: type) -> bool:
    if made_by is object.__init__ or made_by is object.__new__ or is_rewritten(made_by):
        return True
    if getattr(made_by, "__objclass__", None) in CONTAINERS or getattr(made_by, "__self__", None) in CONTAINERS:
        return True
    # Methods that dataclass and NamedTuple generate.
    generated = isinstance(made_by, FunctionType) and made_by.__code__.co_filename == "<string>"
    return bool(generated and (hasattr(cls, "__dataclass_fields__") or issubclass(cls, tuple))) or issubclass(
        cls, tuple
    )


def is_transparent(cls: type) -> bool:
    """Whether all that Python may call to look at an instance of a class is rewritten, or touches nothing else."""
    return all(_is_transparent_base(each) for each in cls.__mro__)


def _is_transparent_base(cls: type) -> bool:
    if cls is object or cls.__module__ in _BASES or is_of_the_loop(cls.__module__):
        return True
    return id(cls) in own_classes and all(
        value is None or not callable(value) or is_rewritten(value) or getattr(value, "__objclass__", None) is object
        for name, value in vars(cls).items()
        if name.startswith("__") and name.endswith("__") and name not in _NOT_CALLED
    )


def is_constant(thing: Value) -> bool:
    """Whether a look at a thing of no other kind shows no state that the program's own steps change."""
    kind = type(thing)
    return (
        kind in _BY_IDENTITY
        or issubclass(type(thing), type | Enum)
        or kind.__module__ in _CONSTANT_MODULES
        or kind in (MethodDescriptorType, WrapperDescriptorType)
        or is_of_the_loop(kind.__module__)
        or kind.__module__.startswith(_HANDLES)
    )


def is_manager(thing: Value) -> bool:
    """Whether it is a context manager of contextlib that holds no shared state, or runs a generator of the program."""
    kind = type(thing)
    if kind.__name__ in _GENERATED and kind.__module__ == "contextlib":
        frame = getattr(thing.gen, "gi_frame", None) or getattr(thing.gen, "ag_frame", None)
        return frame is not None and id(frame.f_code) in rewritten_codes
    return kind in _HARMLESS_MANAGERS


def is_pure(fn: Value) -> bool:
    """Whether a function looks at its arguments only, and changes nothing."""
    module = getattr(fn, "__module__", None)
    # Of another kind, hashing may run code of the program.
    plain = type(fn) is type or type(fn) is BuiltinMethodType
    return (plain and fn in LOOKING) or module in PURE_MODULES


def is_foreign(what: Value) -> bool:
    """Whether awaiting or iterating `what` runs code that was not rewritten, or is a future that records nothing."""
    kind = type(what)
    if kind in _FRAMES:
        frame = getattr(what, _FRAMES[kind])
        if frame is None or id(frame.f_code) in rewritten_codes:
            return False
        return not is_of_the_loop(frame.f_globals.get("__name__"))
    if id(kind) in own_classes:
        return not is_transparent(kind)
    return kind.__module__ == _IN_C or not is_of_the_loop(kind.__module__)


def plain_key(key: Value) -> bool:
    """Whether a key is found by its value alone: comparing and hashing it runs no code of the program."""
    return type(key) in PLAIN or (type(key) is tuple and all(map(plain_key, key)))


#: The operators of the syntax, in words of the module ast.
BINARY: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv, "Mod": operator.mod,
    "FloorDiv": operator.floordiv, "Pow": operator.pow, "BitAnd": operator.and_, "BitOr": operator.or_,
    "BitXor": operator.xor, "LShift": operator.lshift, "RShift": operator.rshift, "MatMult": operator.matmul,
}  # fmt: skip
INPLACE: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "Add": operator.iadd, "Sub": operator.isub, "Mult": operator.imul, "Div": operator.itruediv, "Mod": operator.imod,
    "FloorDiv": operator.ifloordiv, "Pow": operator.ipow, "BitAnd": operator.iand, "BitOr": operator.ior,
    "BitXor": operator.ixor, "LShift": operator.ilshift, "RShift": operator.irshift, "MatMult": operator.imatmul,
}  # fmt: skip
COMPARISONS: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt,
    "GtE": operator.ge,
}  # fmt: skip
