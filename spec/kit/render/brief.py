"""A specification on a few pages: its state, its definitions, and each rule as one item of a list.

An item has the identifier, the name, the sentence, the source and the formula.  `document.py` also shows the sentence
of each definition, the definitions that a formula uses, the mutants that a rule catches, and links to the code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import EnumMeta
from types import FunctionType
from typing import Any

from ..bounded import Instance
from ..core import Named, Spec
from ..rules import rule_of
from .anatomy import in_order, members, module_of, records, rows, theory, written
from .document import ACTION, KINDS, marks
from .formulas import defined, formula
from .infer import is_record
from .markdown import aligned, conjoined, fenced, prose
from .source import helpers, roots
from .subset import outside


def brief(instances: Sequence[Instance]) -> str:
    """Return the specifications of these instances, each rule as one item.

    Raises:
        Untranslatable: code is outside the subset.
    """
    specs = list({id(instance.spec): instance.spec for instance in instances}.values())
    for bad in (bad for spec in specs for bad in outside(spec)):
        raise bad
    seen: set[object] = set()
    pages = ("\n".join(_specification(spec, seen)) for spec in specs)
    return "\n\n".join(pages).replace("\n\n\n", "\n\n") + "\n"


def _specification(spec: Spec[Any, Any], seen: set[object]) -> Iterator[str]:
    """Yield the lines of a specification, without the parts in `seen`, to which it adds its own."""
    types = [of for of in records(spec) if of not in seen]
    functions = [fn for fn in in_order([*roots(spec), *helpers(spec)], spec) if fn not in seen]
    seen.update([*types, *functions])
    kinds = zip(KINDS, spec.tables(), strict=True)
    rules = {item.fn: (kind, item) for kind, table in kinds for item in table.values()}
    yield from (f"# {spec.name}", "", prose(theory(module_of(spec))[0]), "")
    yield from (
        "Made from the specification: do not edit it.  The document that is not brief explains the signs.",
        "",
    )
    yield from ("## State", "")
    yield from fenced(aligned([row for of in types if is_record(of) for row in rows(of)]))
    yield from (f"- `{of.__name__}`: {members(of)}" for of in types if isinstance(of, EnumMeta))
    yield from ("", "## Definitions", "")
    helping = [fn for fn in functions if fn not in rules]
    yield from fenced([line for fn in helping for line in _definition(spec, fn)])
    yield from ("## Rules", "")
    for fn in functions:
        if fn in rules:
            yield from _item(*rules[fn])


def _definition(spec: Spec[Any, Any], fn: FunctionType) -> list[str]:
    """The lines of a definition; as it is written, where no other reader reads it."""
    return written(fn) if fn.__name__ in spec.opaque else defined(fn)


def _item(kind: str, item: Named) -> Iterator[str]:
    """Yield the lines of a rule; a formula that needs one line only is in the same line."""
    rule = rule_of(item)
    of = f"of {conjoined(item.of)}" if item.of else ""
    kinds = ", ".join(filter(None, (kind.lower(), *marks(item), of)))
    cited = "; ".join(filter(None, (rule.source, rule.standing)))
    parts = [f"- **{rule.identifier}** `{item.name}` ({kinds})", prose(rule.sentence)]
    parts += [f"*{prose(cited)}.*"] if cited else []
    lines = formula(kind == ACTION, item)
    if len(lines) == 1:
        yield " ".join([*parts, f"`{lines[0]}`"])
        return
    yield " ".join(parts)
    yield from ("  " + line for line in fenced(lines) if line)
