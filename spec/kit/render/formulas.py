"""The formula of a rule, and of a definition, as lines of text."""

# ruff: noqa: RUF001  (the signs are meant: they are mathematics)

from __future__ import annotations

from types import FunctionType

from ..core import Named
from .infer import head, hints, roles, set_name
from .layout import Binder, Formula, Implies, Listed, Text, hang_list, lay
from .notation import statement
from .source import source

#: The most columns of a formula.
WIDTH = 96


def formula(is_action: bool, item: Named) -> list[str]:
    """The lines of the formula of a rule.

    Raises Untranslatable for code outside the subset.
    """
    fn = item.fn
    assert isinstance(fn, FunctionType)  # `roots` has seen to it
    claim = statement(fn)
    if is_action:
        return define(head(fn, typed=True), "≜", claim)
    return lay(led_to(item, claim) if item.trigger else claim, WIDTH)


def defined(fn: FunctionType) -> list[str]:
    """The lines of the definition of a helper, an answer or a trigger.

    Raises Untranslatable for code outside the subset.
    """
    left, sign = (f"s′ ∈ {head(fn)}", "⇔") if source(fn).generates else (head(fn), "≜")
    return define(left, sign, statement(fn))


def define(left: str, sign: str, formula: Formula) -> list[str]:
    """The lines of a definition."""
    line = f"{left} {sign} {formula.flat()}"
    if len(line) <= WIDTH and not formula.tall:
        return [line]
    if isinstance(formula, Listed):
        return hang_list(f"{left} {sign} ", formula, WIDTH)
    return [f"{left} {sign}", *("  " + line for line in lay(formula, WIDTH - 2))]


def led_to(item: Named, formula: Formula) -> Formula:
    """The formula that the trigger leads to the property, for all parameters."""
    assert isinstance(item.fn, FunctionType)  # `roots` has seen to it
    assert item.trigger is not None
    names = roles(item.fn).others
    trigger = item.trigger.__name__ + (f"({', '.join(names)})" if names else "")
    claim = Implies("↝", Text(trigger), formula)
    bound = ", ".join(f"{name} ∈ {set_name(hints(item.fn)[name])}" for name in names)
    return Binder(f"∀ {bound}", claim) if names else claim
