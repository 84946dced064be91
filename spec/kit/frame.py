"""Declarations beside an action: the fields that its steps may change, and where the action must be possible.

An action may say `changes="at[t] line"`: its steps change `at` at its parameter t only, `line` in any way, and no other
field.  That is its *frame*; a step that changes more breaks it.  An action may also say `whenever=idle`: in every state
where that helper is true of its parameters, the action can happen.  A frame finds an action that does too much;
`whenever` finds one that is refused where it must not be.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any, Final, TypeAlias

from .core import Map, Named, SpecError, truth

# Any below: states, and functions of any signature.

#: The names under which broken declarations are reported, as if they were properties.
FRAME: Final = "frame"
ALLOWED: Final = "allowed"
#: The field of an action that has each of these declarations.
DECLARED: Final = {FRAME: "changes", ALLOWED: "whenever"}
#: For each field that may change: the number of the parameter that is its changed key, or None for any change.
Changes: TypeAlias = "dict[str, int | None]"


@cache
def changes(item: Named, fields: tuple[str, ...]) -> Changes:
    """The fields that steps of an action may change.  Raises SpecError for one that the state does not have."""
    params = list(inspect.signature(item.fn).parameters)[2:]
    found: Changes = {}
    for each in (item.changes or "").split():
        name, _, key = each.removesuffix("]").partition("[")
        if name not in fields or (key and key not in params):
            raise SpecError(f"{item.name}: changes={item.changes!r}: there is no {each}")
        found[name] = params.index(key) if key else None
    return found


@cache
def frame(item: Named, fields: tuple[str, ...]) -> Named:
    """The frame of an action, as a step property of it: it takes k, the states, and the action's parameters."""
    may = changes(item, fields)
    fixed = [name for name in fields if name not in may]
    same: Callable[[Any], Any] = attrgetter(*fixed) if fixed else lambda state: None
    keyed = [(attrgetter(name), key) for name, key in may.items() if key is not None]

    def frame(k: Any, s: Any, t: Any, *args: Any) -> bool:
        return s is t or (same(s) == same(t) and all(kept(of(s), of(t), args[key]) for of, key in keyed))

    return Named(frame, item.rule, of=(item.rule,))


def kept(a: Any, b: Any, key: Any) -> bool:
    """Whether a map or a set is the same but at that key."""
    if a is b:
        return True
    return all(x == key or a[x] == b[x] for x in a) if isinstance(a, Map) else a ^ b <= {key}


@cache
def allowed(item: Named) -> Named:
    """That an action is possible wherever it must be, under the rule of the action; no property by itself."""
    whenever: Callable[..., bool] = item.whenever or item.fn

    def allowed(k: Any, s: Any, *args: Any) -> bool:
        return not truth(whenever, whenever(k, s, *args))

    vars(allowed)["__wrapped__"] = whenever  # an error names its place
    return Named(allowed, item.rule)
