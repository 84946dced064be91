"""Specifications as a document: Markdown, with the rules in mathematical notation and links to the code.

Theory of operation.  A document is a list of sections.  Each has a key, by which others link to it: the function that
it shows, or the name of a text.  The headings are known first, and with them the anchors, which follow from the
headings as on code hosts; then each section is written.  Everything is taken from the texts, in the order of the
texts: nothing is told here that does not stand there, and an action or property that is added there is shown here.
"""

# ruff: noqa: RUF001  (the signs are meant: they are mathematics)

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import EnumMeta
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, NewType

from ..bounded import Fails, Instance
from ..core import Named, Spec
from ..rules import HOME, rule_of
from .anatomy import comments, constants_of, in_order, module_of, records, theory, written
from .infer import head, hints, is_record, roles, set_name
from .layout import Binder, Formula, Implies, Listed, Text, hang_list, lay
from .markdown import aligned, anchors, conjoined, fenced, paragraphs, prose
from .notation import statement
from .source import callees, helpers, roots, source
from .subset import outside

if TYPE_CHECKING:
    from ...promises import Promise

#: The most columns of a formula.
WIDTH = 96

INTRODUCTION = """\
What must hold, text by text. This file is made from the texts by `loopspec render`: do not edit it. A rule has an
identifier that never changes, a sentence, a source and a standing: *documented*, *settled* (what CPython does, and its
tests or issues rely on) or *defined* (here). `loopspec check` explores finite instances of each text, in which every
property must hold, and texts with one known error each, which must be caught by the property named."""

NOTATION = """\
A state is a record. A formula of an action relates a state s to the next one, s′, and so does that of a step property.
The name of a field stands for its value in s, or for a constant; with a prime, for its value in s′.

| sign | meaning |
|---|---|
| `at′ = …` | what at is next; fields that are not mentioned stay as they are, and all do if `s′ = s` |
| `q.at`, `s.at` | a field of another state q; of s, where at is the name of something else too |
| `q with at = …` | the state q, but for that field |
| `waits(t, GET)` | a definition, applied to s; `waits′(t, GET)`: to s′; `waits(q, t, GET)`: to another state q |
| `s′ ∈ take(t)` | s′ is one of the states that take may lead to |
| `f[x]`, `f ⊕ {x ↦ v}` | what the map f has at x; f, but with v at x |
| `⟨a, b⟩`, `x ∘ y` | a tuple or a sequence; x, then y |
| `x[:1]`, `x[1:]` | the first item of a sequence, as a sequence of at most one; the others |
| `{t ∈ tasks : …}` | those t of which it is true; `{e : t ∈ tasks ∧ …}`: for each of them, e |
| `A ∪ B`, `A ∖ B` | the elements of A or B; those of A that are not in B |
| `\\|A\\|`, `# v ∈ x: …` | how many there are in a set or sequence; how many items of x there are of which it is true |
| `Σ t ∈ tasks: …` | the sum |
| `P ↝ Q` | whenever P is true, Q is true then or later |

The lines below a sign ∧ (and) or ∨ (or) that begin with the same sign in the same column belong to one list; ⇒ and ⇔
at the beginning of a line stand between what is above and what is behind them.

An action may happen when there is an s′ of which its formula is true. A *fair* action does not stay possible for ever
without happening; a *hidden* one is seen by no caller; the *answer* is what the caller, the first of the parameters, is
told by the step: ⟨⟩, nothing yet; ⟨x⟩, x."""

PROMISED = """\
Rules without a formula. Those of the names can be seen through a namespace with asyncio's names, and are shown by the
vectors; those of the loop are tested on our own loop."""

#: What a registered function is, in the order of `Spec.tables`.
KINDS = ("Action", "Invariant", "Step property", "Leads-to", "Assumption", "Initial states")
PLURAL = ("Actions", "Invariants", "Step properties", "Leads-to", "Assumptions", "Initial states")
#: What else than a property may be found broken (`Fails.broken`).
OTHERS = {
    "deadlock": "a deadlock",
    "refinement": "a step that the higher text does not allow",
}


@dataclass(frozen=True)
class Section:
    """A heading, and what stands below it."""

    key: Hashable
    level: int
    title: str
    lines: Callable[[], Iterator[str]]


def document(
    instances: Sequence[Instance], folder: Path = HOME / "spec", promises: Sequence[Promise] = ()
) -> str:
    """The texts of these instances as one document, then promises; links are relative to `folder`, where it will stand.

    Raises Untranslatable for what is outside the subset.
    """
    page = Page(instances, folder, promises)
    return "\n".join(page.lines()).replace("\n\n\n", "\n\n") + "\n"


class Page:
    """All that a section may need to know: the texts, what is caught where, and the anchor of each section."""

    def __init__(self, instances: Sequence[Instance], folder: Path, promises: Sequence[Promise]) -> None:
        self.folder = folder
        self.promises = promises
        self.texts: list[Spec[Any, Any]] = list({id(i.spec): i.spec for i in instances}.values())
        for bad in (bad for spec in self.texts for bad in outside(spec)):
            raise bad
        self.registered = {
            item.fn for spec in self.texts for table in spec.tables() for item in table.values()
        }
        self.fails = [instance for instance in instances if isinstance(instance, Fails)]
        self.seen: dict[object, str] = {}  # what has been shown already, and in which text
        self.sections = [Section("", 2, "Notation", lambda: iter([NOTATION]))]
        self.sections += [section for spec in self.texts for section in self.text(spec)]
        if promises:
            self.sections.append(Section("promises", 2, "promises", self.promised))
        self.anchors = anchors(["Contents", *(section.title for section in self.sections)])
        self.places = {
            section.key: anchor for section, anchor in zip(self.sections, self.anchors[1:], strict=True)
        }
        self.rules = {
            item.rule: self.places[item.fn]
            for spec in self.texts
            for table in spec.tables()
            for item in table.values()
        }

    def lines(self) -> Iterator[str]:
        yield "# Specification"
        yield ""
        yield INTRODUCTION
        yield ""
        yield "## Contents"
        yield ""
        for spec in self.texts:
            yield from self.contents(spec)
        if self.promises:
            yield f"[**promises**](#{self.places['promises']}): what is told in a sentence, and no text gives."
            yield ""
        for section in self.sections:
            yield f"{'#' * section.level} {section.title}"
            yield ""
            yield from section.lines()
            yield ""

    def contents(self, spec: Spec[Any, Any]) -> Iterator[str]:
        """A line for each kind of rule, with the identifiers."""
        yield f"[**{spec.name}**](#{self.places[spec.name]}): {prose(theory(module_of(spec))[0])}"
        yield ""
        for title, table in zip(PLURAL, spec.tables(), strict=True):
            items = sorted(table.values(), key=lambda item: number(item.rule))
            links = ", ".join(f"[{item.rule}](#{self.places[item.fn]}) {item.name}" for item in items)
            if links:
                yield f"- {title}: {links}"
        yield ""

    # --- a text --------------------------------------------------------------------------------------------

    def text(self, spec: Spec[Any, Any]) -> Iterator[Section]:
        """The sections of a text; what another text has shown is not shown again."""
        tables = zip(KINDS, spec.tables(), strict=True)
        kinds = {item.fn: (kind, item) for kind, table in tables for item in table.values()}
        mine = [*roots(spec), *(fn for fn in helpers(spec) if fn not in self.registered)]
        new = [fn for fn in in_order(mine, spec) if fn not in self.seen]
        shown = [of for of in records(spec) if of not in self.seen]
        self.seen.update(dict.fromkeys([*new, *shown], spec.name))
        yield Section(spec.name, 2, spec.name, partial(self.theory, spec, new))
        yield Section((spec.name, "state"), 3, "Constants and state", partial(self.state, spec, shown))
        defined = [fn for fn in new if fn not in kinds]
        if defined:
            yield Section((spec.name, "definitions"), 3, "Definitions", lambda: iter([]))
        for fn in defined:
            yield Section(fn, 4, fn.__name__, partial(self.definition, spec, fn))
        yield Section((spec.name, "rules"), 3, "Rules", partial(self.elsewhere, spec))
        for fn in new:
            if fn in kinds:
                kind, item = kinds[fn]
                yield Section(fn, 4, f"{item.rule}: {item.name}", partial(self.rule, spec, kind, item))

    def theory(self, spec: Spec[Any, Any], new: Sequence[FunctionType]) -> Iterator[str]:
        """The docstrings of the modules in which this text says something new: first that of its own."""
        modules = [module_of(spec), *(fn.__module__ for fn in new if fn not in self.borrowed(spec))]
        for module in dict.fromkeys(modules):
            if module != modules[0]:
                yield f"*{prose(module.rpartition('.')[2])}.py*"
                yield ""
            for paragraph in theory(module):
                yield self.linked(paragraph)
                yield ""

    def borrowed(self, spec: Spec[Any, Any]) -> set[FunctionType]:
        """The helpers that are not of this text: they stand in modules where it has no rule."""
        mine = {fn.__module__ for fn in roots(spec)}
        return {fn for fn in helpers(spec) if fn.__module__ not in mine}

    def state(self, spec: Spec[Any, Any], shown: Sequence[Any]) -> Iterator[str]:
        """The constants, the state, the sets; what another text has shown is named."""
        for what, of in ("constants are those", constants_of(spec)), ("state is that", spec.state):
            if of is not None and of not in shown:
                where = self.seen[of]
                yield f"The {what} of [{where}](#{self.places[where]})."
                yield ""
        for each in shown:
            if is_record(each):
                yield from self.record(each)
        if given := [f"`{set_name(of)}`" for of in shown if isinstance(of, NewType)]:
            yield f"{conjoined(given)} {'is a set' if len(given) == 1 else 'are sets'} that an instance chooses."
            yield ""
        for of in shown:
            if isinstance(of, EnumMeta):
                yield f"- `{of.__name__}`: {self.linked(inspect.getdoc(of) or '')} {members(of)}"
        yield ""

    def record(self, of: Any) -> Iterator[str]:
        """A dataclass: what its docstring says, and its fields."""
        for paragraph in paragraphs(inspect.getdoc(of) or ""):
            yield self.linked(paragraph)
            yield ""
        told = comments(of)
        rows = [(f.name, set_name(hints(of)[f.name]), told.get(f.name, "")) for f in fields(of)]
        yield from fenced(aligned(rows))

    def definition(self, spec: Spec[Any, Any], fn: FunctionType) -> Iterator[str]:
        """A helper, an answer or a trigger."""
        for paragraph in paragraphs(inspect.getdoc(fn) or ""):
            yield self.linked(paragraph)
            yield ""
        if reason := spec.opaque.get(fn.__name__):
            yield from fenced(written(fn), "python")
            reason = self.linked(reason).removesuffix(".")
            yield f"Shown as it is written, for no other reader looks into it: {reason}. {self.code(fn)}"
            return
        left, sign = (f"s′ ∈ {head(fn)}", "⇔") if source(fn).generates else (head(fn), "≜")
        yield from fenced(define(left, sign, statement(fn)))
        yield " ".join([*self.uses(fn), self.code(fn)])

    def elsewhere(self, spec: Spec[Any, Any]) -> Iterator[str]:
        """What is caught by no property, but by the search or by the refinement."""
        found = [f for f in self.fails if f.spec is spec and f.broken not in spec.properties]
        if found:
            yield f"Besides what the properties below find broken, the check finds {caught(found, OTHERS)}."

    def rule(self, spec: Spec[Any, Any], kind: str, item: Named) -> Iterator[str]:
        """A registered action or property."""
        told = rule_of(item)
        fn = item.fn
        assert isinstance(fn, FunctionType)  # `roots` has seen to it
        yield self.linked(told.sentence, but=item.rule)
        yield ""
        formula = statement(fn)
        if kind == "Action":
            yield from fenced(define(head(fn, typed=True), "≜", formula))
        else:
            yield from fenced(lay(led_to(item, formula) if item.trigger else formula, WIDTH))
        marks = [mark for mark, holds in (("fair", item.fair), ("hidden", item.hidden)) if holds]
        answer = []
        if isinstance(item.answer, FunctionType):
            answer = [f"Answer: {self.link(item.answer, roles(fn).others)}."]
        small = [" ".join([f"*{', '.join([kind, *marks])}.*", *answer, *self.uses(fn, item.trigger)])]
        if told.source:
            standing = f"; {told.standing}" if told.standing else ""
            small.append(f"Source: {self.linked(told.source)}{standing}. {self.code(fn)}")
        else:
            small[-1] += f" {self.code(fn)}"
        found = [f for f in self.fails if f.spec is spec and f.broken == item.name]
        if found:
            small.append(f"Caught: {caught(found)}.")
        yield "\\\n".join(small)

    def promised(self) -> Iterator[str]:
        """The promises, which have no formula."""
        yield PROMISED
        yield ""
        yield "| rule | promise | seen | source |"
        yield "|---|---|---|---|"
        for told in self.promises:
            rests = f"{self.linked(told.source)}; {told.standing}"
            yield f"| {told.rule} | {self.linked(told.text)} | of the {told.where} | {rests} |"

    # --- links ---------------------------------------------------------------------------------------------

    def link(self, fn: FunctionType, params: Sequence[str] = ()) -> str:
        return f"[`{fn.__name__}{'(' + ', '.join(params) + ')' if params else ''}`](#{self.places[fn]})"

    def uses(self, fn: FunctionType, trigger: object = None) -> list[str]:
        """The definitions that a formula names."""
        found = [trigger] if isinstance(trigger, FunctionType) else []
        found += [helper for helper in callees(fn) if helper is not fn]
        return [f"Uses {conjoined([self.link(helper) for helper in found])}."] if found else []

    def code(self, fn: FunctionType) -> str:
        """Where a function stands."""
        read = source(fn)
        path, home = Path(read.path), HOME / "spec"
        name = path.relative_to(home).as_posix() if path.is_relative_to(home) else path.name
        link = Path(os.path.relpath(path, self.folder)).as_posix()
        return f"[{name}:{read.line}]({link}#L{read.line})"

    def linked(self, text: str, but: str = "") -> str:
        """Prose in which the rules that it names are links; not the rule `but`."""

        def link(match: re.Match[str]) -> str:
            known = match[0] in self.rules and match[0] != but
            return f"[{match[0]}](#{self.rules[match[0]]})" if known else match[0]

        return re.sub(r"\b[A-Z][A-Z0-9_]*-[0-9]+\b", link, prose(text))


# --- formulas ------------------------------------------------------------------------------------------------


def define(left: str, sign: str, formula: Formula) -> list[str]:
    """The lines of a definition."""
    line = f"{left} {sign} {formula.flat()}"
    if len(line) <= WIDTH and not formula.tall:
        return [line]
    if isinstance(formula, Listed):
        return hang_list(f"{left} {sign} ", formula, WIDTH)
    return [f"{left} {sign}", *("  " + line for line in lay(formula, WIDTH - 2))]


def led_to(item: Named, formula: Formula) -> Formula:
    """That the trigger leads to the property, for all parameters."""
    assert isinstance(item.fn, FunctionType)  # `roots` has seen to it
    assert item.trigger is not None
    names = roles(item.fn).others
    trigger = item.trigger.__name__ + (f"({', '.join(names)})" if names else "")
    claim = Implies("↝", Text(trigger), formula)
    bound = ", ".join(f"{name} ∈ {set_name(hints(item.fn)[name])}" for name in names)
    return Binder(f"∀ {bound}", claim) if names else claim


def caught(found: Sequence[Fails], what: Mapping[str, str] | None = None) -> str:
    """The known errors, and after how many steps they are found; `what`: the words for what is found."""
    titles = (f"{prose(f.title.removeprefix(f'{f.spec.name}: '))} ({steps(f.depth)})" for f in found)
    if what is None:
        return "; ".join(titles)
    return "; ".join(f"{what[f.broken]}, {title}" for f, title in zip(found, titles, strict=True))


def steps(count: int) -> str:
    return f"{count} step{'s' * (count != 1)}"


def number(rule: str) -> tuple[str, int]:
    """What identifiers are sorted by."""
    family, _, digits = rule.rpartition("-")
    return family, int(digits)


def members(of: Any) -> str:
    """The members of an enumeration, each with the comment beside it."""
    told = comments(of)
    return ", ".join(
        f"`{name}`" + (f" ({prose(told[name])})" if name in told else "") for name in of.__members__
    )
