"""The contents of a state: values of the annotated types that never change, and are equal only if they are the same.

A search knows a state again by `==`.  So two states must be equal exactly if no property can tell them apart: a field
that is left out of the comparison, an `__eq__` of its own, True beside 1, -0.0 beside 0.0 or NaN would hide states
from the search.  And a state must stay as it was when it was met.

The annotation of a field is read once; then each value is compared with it.  If the annotation does not name its
contents (`object`, a type variable), the field takes any value made of the types below, and is remembered, so that
an equal value of other types is noticed.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Hashable, Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache, cached_property
from itertools import chain, combinations
from math import copysign
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from .core import Map, SpecError

# Any below: values and annotations of any specification.

#: Whether a value is one of an annotation.
Accepts: TypeAlias = Callable[[Any], bool]
#: Types with values that never change.
PLAIN = (bool, int, str, bytes, NoneType)
#: The types with values that equal some of another of them.
NUMBERS, TEXTS = (bool, int, float), (str,)
INSTEAD = "use int, bool, str, an Enum, tuple, frozenset, Map or a frozen dataclass"


class Contents:
    """The fields of a state class, or of a class of constants, each with the values that it may have.

    Raises SpecError for a class that compares by something else than its fields, and for the annotation of a field
    that says that it may change.
    """

    def __init__(self, of: type) -> None:
        self.of = of
        self.accepts = {name: accepts(hint, f"{of.__name__}.{name}") for name, hint in hints_of(of).items()}

    def wrong(self, t: Any, s: Any = None) -> str:
        """A field of `t` with a value that it cannot have, in words; "" if there is none.

        `s`: a state that was looked at: a field of `t` that is the very same object is not looked at again.
        """
        known = vars(s) if s is not None else {}
        for name, value in vars(t).items():
            if (s is None or known.get(name, self) is not value) and not self.accepts[name](value):
                return f"{self.of.__name__}.{name} is {value!r}, which is {self._reason(name, value)}"
        return ""

    def _reason(self, name: str, value: Any) -> str:
        hint = hints_of(self.of)[name]
        try:
            hash(value)
        except TypeError as error:
            return f"a value that can change: {error}; {INSTEAD}"
        if isinstance(value, float) and hint is float:
            return "equal to another number or to none: write 0.0, and no NaN"
        if hint in (object, Any) or (hint not in PLAIN and isinstance(hint, type) and isinstance(value, hint)):
            return f"equal to another that is not the same, or not to itself, or can change: {INSTEAD}"
        return f"no {written(hint)}"


@cache
def contents(of: Any) -> Contents:
    """The contents of a class, read once."""
    return Contents(of)


def unfit(k: Any) -> str:
    """A field of constants with a value that its annotation does not allow, in words; "" if there is none.

    They are not compared, so that their class may be any; for a type that says nothing, any value fits.
    """
    for name, hint in annotations_of(type(k)).items():
        try:
            fits = hint in (object, Any, Hashable) or accepts(hint, name)(getattr(k, name))
        except SpecError:
            continue
        if not fits:
            return f"{type(k).__name__}.{name} is {getattr(k, name)!r}, which is no {written(hint)}"
    return ""


@cache
def hints_of(of: Any) -> dict[str, Any]:
    """The annotation of each field of a class that compares by its fields."""
    sound(of)
    return annotations_of(of)


def annotations_of(of: Any) -> dict[str, Any]:
    """The annotation of each field; `object` where one names something that cannot be found."""
    names = [each.name for each in fields(of)] if is_dataclass(of) else list(getattr(of, "_fields", ()))
    try:
        hints = get_type_hints(of)
    except (NameError, TypeError):  # a name that is local to a function
        hints = {}
    return {name: hints.get(name, object) for name in names}


def sound(of: type) -> None:
    """Raise SpecError for a class with values that are equal by something else than their fields."""
    if is_dataclass(of):
        given = of.__dataclass_params__  # type: ignore[attr-defined]  # the stubs have no such name
        if left := [each.name for each in fields(of) if not each.compare or each.hash is False]:
            refuse(of, f"{of.__name__}.{left[0]} is left out when states are compared: every field must count")
        if not given.frozen or not given.eq:
            refuse(of, f"{of.__name__} must be a dataclass with frozen=True, compared by its fields")
        if not of.__dictoffset__:
            refuse(of, f"{of.__name__} has slots: leave out slots=True")
        cached = [name for name, _ in inspect.getmembers_static(of, lambda x: isinstance(x, cached_property))]
        if cached:
            refuse(of, f"{of.__name__}.{cached[0]} is stored in the state: write a property, or a function")
        own = [name for name in ("__eq__", "__hash__") if not generated(of, name)]
    elif issubclass(of, tuple):
        own = [] if of.__eq__ is tuple.__eq__ else ["__eq__"]
    else:
        usual = {object.__eq__, int.__eq__, str.__eq__, float.__eq__}
        own = [] if of.__eq__ in usual else ["__eq__"]
    if own:
        refuse(of, f"{of.__name__} has its own {own[0]}: its values must be equal only if they are the same")


def generated(of: type, name: str) -> bool:
    """Whether a method of a dataclass is the one that `dataclass` makes."""
    code = getattr(getattr(of, name), "__code__", None)
    return code is not None and code.co_filename == "<string>"


def refuse(of: type, why: str) -> NoReturn:
    """Raise SpecError at the line of a class."""
    raise SpecError(why).at(of)


def accepts(hint: Any, field: str) -> Accepts:
    """Which values a field with that annotation may have.

    Raises:
        SpecError: the annotation says that the value can change, or that equal values can differ.
    """
    origin, args = get_origin(hint), get_args(hint)
    if hasattr(hint, "__supertype__"):  # a NewType
        return accepts(hint.__supertype__, field)
    if hint in PLAIN or hint is None:
        kind = NoneType if hint is None else hint
        return lambda value: type(value) is kind
    if hint is float:
        return exact_float
    if origin in (Union, UnionType):
        return one_of([*args], field)
    if origin is Literal:
        known = {(type(each), each) for each in args}
        one_of([type(each) for each in args], field)
        return lambda value: (type(value), value) in known
    if origin in (frozenset, tuple, Map):
        return collection(origin, args, field)
    if isinstance(hint, type) and issubclass(hint, Enum):
        sound(hint)
        return lambda value: type(value) is hint
    if isinstance(hint, type) and (is_dataclass(hint) or hasattr(hint, "_fields")):
        return record(hint)
    if hint in (object, Any, Hashable, frozenset, tuple, Map) or isinstance(hint, TypeVar):
        known_types: dict[Any, object] = {}
        need = hint if hint in (frozenset, tuple, Map) else object
        return lambda value: isinstance(value, need) and remembered(known_types, value)
    if isinstance(hint, type) and is_value(hint):
        known_values: dict[Any, object] = {}
        return lambda value: isinstance(value, hint) and remembered(known_values, value)
    raise SpecError(f"{field} is a {written(hint)}, which can change, or is not compared by its value: {INSTEAD}")


def exact_float(value: Any) -> bool:
    """Whether it is a float that equals only itself: not -0.0, nor NaN."""
    return type(value) is float and value == value and (value != 0 or copysign(1, value) > 0)


def one_of(hints: list[Any], field: str) -> Accepts:
    """Any of several annotations; no two of them may have equal values."""
    for a, b in combinations(dict.fromkeys(hints), 2):
        for group in (NUMBERS, TEXTS):
            if all(isinstance(each, type) and issubclass(each, group) for each in (a, b)):
                raise SpecError(f"{field} is {written(a)} or {written(b)}, which have equal values: use one of them")
    each = [accepts(hint, field) for hint in hints]
    return lambda value: any(one(value) for one in each)


def collection(origin: type, args: tuple[Any, ...], field: str) -> Accepts:
    """A frozenset, a tuple or a Map with such items."""
    if origin is tuple and args[-1:] != (...,):
        parts = [accepts(hint, field) for hint in args if hint != ()]
        return lambda value: (
            type(value) is tuple
            and len(value) == len(parts)
            and all(part(item) for part, item in zip(parts, value, strict=True))
        )
    if origin is Map:
        keys, values = all_of(args[0], field), all_of(args[1], field)
        return lambda value: type(value) is Map and keys(value) and values(value.values())
    items, kind = all_of(args[0], field), {origin}
    return lambda value: type(value) in kind and items(value)


def all_of(hint: Any, field: str) -> Callable[[Iterable[Any]], bool]:
    """Whether all items are values of an annotation.  Of plain types it is asked at once, which is fast."""
    bare = hint
    while hasattr(bare, "__supertype__"):
        bare = bare.__supertype__
    one = accepts(bare, field)
    if bare in PLAIN or (isinstance(bare, type) and issubclass(bare, Enum)):
        alone = {bare}
        return lambda items: alone.issuperset(map(type, items))
    if get_origin(bare) is tuple and (parts := set(get_args(bare))) and len(parts) == 1:
        size, inner = len(get_args(bare)), all_of(parts.pop(), field)
        pairs = {tuple}
        return lambda items: (
            pairs.issuperset(map(type, items))
            and {size}.issuperset(map(len, items))
            and inner(chain.from_iterable(items))
        )
    return lambda items: all(map(one, items))


def record(of: Any) -> Accepts:
    """A frozen dataclass or a named tuple, or one derived from it, with fields as annotated."""
    hints_of(of)

    def whole(value: Any) -> bool:
        if not isinstance(value, of):
            return False
        kind: Any = type(value)
        known = contents(kind)
        if isinstance(value, tuple):
            return all(fits(item) for fits, item in zip(known.accepts.values(), value, strict=True))
        return not known.wrong(value)

    return whole


def remembered(known: dict[Any, object], value: Any) -> bool:
    """Whether a value is made of types that never change, and equals none that was remembered with other types."""
    try:
        made = types_of(value)
        return known.setdefault(value, made) == made
    except TypeError:
        return False


def types_of(value: Any) -> object:
    """The types that a value is made of, so that two values are the same if they and these are equal.

    Raises:
        TypeError: it can change.
        SpecError: of a class in it that compares by something else than its fields.
    """
    kind = type(value)
    if kind in PLAIN or isinstance(value, Enum) or (kind is float and exact_float(value)):
        return kind
    if kind is frozenset:
        return kind, frozenset((item, types_of(item)) for item in value)
    if kind is Map:
        return kind, frozenset((key, types_of(key), types_of(item)) for key, item in value.items())
    if isinstance(value, tuple):
        sound(kind)
        return kind, *map(types_of, value)
    if is_dataclass(value):
        sound(kind)
        return kind, *(types_of(item) for item in vars(value).values())
    if is_value(kind) and value == value:  # a Decimal may be NaN
        return kind, repr(value)  # Decimal("1.0") equals Decimal("1")
    raise TypeError(f"a {kind.__name__} can change")


def is_value(kind: type) -> bool:
    """Whether it is a class of values of the standard library, such as date, Fraction or range."""
    own = [getattr(kind, name) not in (None, getattr(object, name)) for name in ("__eq__", "__hash__")]
    return all(own) and kind.__module__.partition(".")[0] in sys.stdlib_module_names


def written(hint: Any) -> str:
    """An annotation as it is written."""
    if hasattr(hint, "__name__") and get_origin(hint) is None:
        return str(hint.__name__)
    return re.sub(r"(\w+\.)+(?=\w)", "", str(hint))


def prints(s: Any) -> list[int]:
    """A number for each field of a state, which changes if the field is changed in place.  A Map keeps its hash."""
    return [hash(frozenset(v.items()) if type(v) is Map else v) for v in vars(s).values()]
