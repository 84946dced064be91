"""Specifications as a document: Markdown, with the rules in mathematical notation and links to the code.

A document is a list of sections.  Each has a key for links to it: the function that it shows, or the name of a
specification.  The headings are known first, and with them the anchors, which follow from the headings as on code
hosts; then each section is written.  Everything is taken from the specifications, in their order: the document adds no
rule, and an action or property that is added to a specification appears here.
"""

# ruff: noqa: RUF001  (the signs are meant: they are mathematics)

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import EnumMeta
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any, NewType

from .. import assurance
from ..bounded import Fails, Instance
from ..core import Named, Spec
from ..rules import HOME, NAMED, Promise, rule_of
from ..search import steps
from .anatomy import constants_of, in_order, members, module_of, records, rows, theory, written
from .formulas import defined, formula
from .infer import is_record, roles, set_name
from .markdown import aligned, anchors, conjoined, fenced, paragraphs, prose
from .source import callees, helpers, roots, source
from .subset import outside

INTRODUCTION = """\
The rules, specification by specification. This file is made by `loopspec explain`: do not edit it. A rule has an
identifier that never changes, a sentence, a source and a standing: *documented*, *settled* (what CPython does, and its
tests or issues rely on) or *defined* (here). `loopspec check` searches bounded models of each specification, in which
every property must hold, and mutants with one known error each, which must be caught by the property named."""

NOTATION = """\
A state is a record. The formula of an action, or of a step property, relates a state s to the next one, s′. The name of
a field stands for its value in s, or for a constant; with a prime, for its value in s′.

| sign | meaning |
|---|---|
| `at′ = …` | the next value of at; fields that are not mentioned do not change, and none does if `s′ = s` |
| `q.at`, `s.at` | a field of another state q; of s, if at also names something else |
| `q with at = …` | the state q, except for that field |
| `waits(t, GET)` | a definition, applied to s; `waits′(t, GET)`: to s′; `waits(q, t, GET)`: to another state q |
| `s′ ∈ take(t)` | s′ is one of the states that take may lead to |
| `f[x]`, `f ⊕ {x ↦ v}` | the value of the map f at x; f, but with v at x |
| `⟨a, b⟩`, `x ∘ y` | a tuple or a sequence; x, then y |
| `x[:1]`, `x[1:]` | the first item of a sequence, as a sequence of at most one; the others |
| `{t ∈ tasks : …}` | those t for which it is true; `{e : t ∈ tasks ∧ …}`: for each of them, e |
| `A ∪ B`, `A ∖ B` | the elements of A or B; those of A that are not in B |
| `\\|A\\|`, `# v ∈ x: …` | the size of a set or sequence; the number of items of x for which it is true |
| `Σ t ∈ tasks: …` | the sum |
| `P ↝ Q` | whenever P is true, Q is true then or later |

The lines below a sign ∧ (and) or ∨ (or) that begin with the same sign in the same column belong to one list; ⇒ and ⇔
at the beginning of a line connect the lines above with those behind them.

An action may happen if there is an s′ for which its formula is true. A *fair* action does not stay possible for ever
without happening; a *hidden* one is seen by no caller; the *answer* is the result that the step delivers to the caller,
the first of the parameters: ⟨⟩, none yet; ⟨x⟩, x.  A step *changes* the fields named, f[x] at x only, and no others."""

PROMISED = """\
Rules without a formula. Those of the names can be seen through a namespace with asyncio's names, and are shown by the
test vectors; those of the loop are tested on our own loop, those of the crawl on crawls, and those of the kernel
on the kernel of simulated runs."""

#: The kinds of registered functions, in the order of `Spec.tables`.
ACTION = "Action"
KINDS = (ACTION, "Invariant", "Step property", "Leads-to", "Assumption", "Initial states")
PLURAL = ("Actions", "Invariants", "Step properties", "Leads-to", "Assumptions", "Initial states")
#: The values of `Fails.broken` that are not properties.
OTHERS = {
    "deadlock": "a deadlock",
    "refinement": "a step that the higher specification does not allow",
    "frame": "a step that changes more than it may",
    "allowed": "an action that is refused where it must be possible",
}


@dataclass(frozen=True)
class Section:
    """A heading, and the lines below it."""

    key: Hashable
    level: int
    title: str
    lines: Callable[[], Iterator[str]]


def document(instances: Sequence[Instance], folder: Path = HOME / "spec", promises: Sequence[Promise] = ()) -> str:
    """The specifications of these instances as one document, then promises; links are relative to `folder`.

    Raises Untranslatable for code outside the subset.
    """
    page = Page(instances, folder, promises)
    return "\n".join(page.lines()).replace("\n\n\n", "\n\n") + "\n"


class Page:
    """All that a section may need: the specifications, the mutants caught, and the anchor of each section."""

    def __init__(self, instances: Sequence[Instance], folder: Path, promises: Sequence[Promise]) -> None:
        self.folder = folder
        self.promises = promises
        self.specs: list[Spec[Any, Any]] = list({id(i.spec): i.spec for i in instances}.values())
        for bad in (bad for spec in self.specs for bad in outside(spec)):
            raise bad
        self.registered = {item.fn for spec in self.specs for table in spec.tables() for item in table.values()}
        self.fails = [instance for instance in instances if isinstance(instance, Fails)]
        self.assured = assurance.load()
        self.seen: dict[object, str] = {}  # the functions and types shown already, with their specification
        self.sections = [Section("", 2, "Notation", lambda: iter([NOTATION]))]
        self.sections += [section for spec in self.specs for section in self.specification(spec)]
        if promises:
            self.sections.append(Section("promises", 2, "promises", self.promised))
        self.anchors = anchors(["Contents", *(section.title for section in self.sections)])
        self.places = {section.key: anchor for section, anchor in zip(self.sections, self.anchors[1:], strict=True)}
        self.rules = {
            item.rule: self.places[item.fn] for spec in self.specs for table in spec.tables() for item in table.values()
        }

    def lines(self) -> Iterator[str]:
        yield from ("# Specification", "", INTRODUCTION, "", "## Contents", "")
        for spec in self.specs:
            yield from self.contents(spec)
        if self.promises:
            yield f"[**promises**](#{self.places['promises']}): rules stated in a sentence, without a formula."
            yield ""
        for section in self.sections:
            yield from (f"{'#' * section.level} {section.title}", "")
            yield from section.lines()
            yield ""

    def contents(self, spec: Spec[Any, Any]) -> Iterator[str]:
        """A line for each kind of rule, with the identifiers."""
        yield from (f"[**{spec.name}**](#{self.places[spec.name]}): {prose(theory(module_of(spec))[0])}", "")
        for title, table in zip(PLURAL, spec.tables(), strict=True):
            items = sorted(table.values(), key=lambda item: number(item.rule))
            links = ", ".join(f"[{item.rule}](#{self.places[item.fn]}) {item.name}" for item in items)
            if links:
                yield f"- {title}: {links}"
        yield ""

    # --- a specification -----------------------------------------------------------------------------------

    def specification(self, spec: Spec[Any, Any]) -> Iterator[Section]:
        """The sections of a specification; parts that another one has shown are not shown again."""
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
        """The docstrings of the modules with new parts of this specification: first that of its own."""
        modules = [module_of(spec), *(fn.__module__ for fn in new if fn not in self.borrowed(spec))]
        for module in dict.fromkeys(modules):
            if module != modules[0]:
                yield from (f"*{prose(module.rpartition('.')[2])}.py*", "")
            yield from self.linked_paragraphs(theory(module))

    def borrowed(self, spec: Spec[Any, Any]) -> set[FunctionType]:
        """The helpers that belong to another specification: those in modules where this one has no rule."""
        mine = {fn.__module__ for fn in roots(spec)}
        return {fn for fn in helpers(spec) if fn.__module__ not in mine}

    def state(self, spec: Spec[Any, Any], shown: Sequence[Any]) -> Iterator[str]:
        """The constants, the state, the sets; those that another specification has shown are only named."""
        for what, of in ("constants are those", constants_of(spec)), ("state is that", spec.state):
            if of is not None and of not in shown:
                where = self.seen[of]
                yield from (f"The {what} of [{where}](#{self.places[where]}).", "")
        for each in shown:
            if is_record(each):
                yield from self.record(each)
        if given := [f"`{set_name(of)}`" for of in shown if isinstance(of, NewType)]:
            yield f"{conjoined(given)} {'is a set' if len(given) == 1 else 'are sets'} that a model chooses."
            yield ""
        for of in shown:
            if isinstance(of, EnumMeta):
                yield f"- `{of.__name__}`: {self.linked(inspect.getdoc(of) or '')} {members(of)}"
        yield ""

    def record(self, of: Any) -> Iterator[str]:
        """A dataclass: its docstring and its fields."""
        yield from self.linked_paragraphs(paragraphs(inspect.getdoc(of) or ""))
        yield from fenced(aligned(rows(of)))

    def definition(self, spec: Spec[Any, Any], fn: FunctionType) -> Iterator[str]:
        """A helper, an answer or a trigger."""
        yield from self.linked_paragraphs(paragraphs(inspect.getdoc(fn) or ""))
        if reason := spec.opaque.get(fn.__name__):
            yield from fenced(written(fn), "python")
            reason = self.linked(reason).removesuffix(".")
            yield f"Shown as it is written, because no other reader reads it: {reason}. {self.code(fn)}"
            return
        yield from fenced(defined(fn))
        yield " ".join([*self.uses(fn), self.code(fn)])

    def elsewhere(self, spec: Spec[Any, Any]) -> Iterator[str]:
        """The mutants that no property catches, but the search or the refinement."""
        found = [f for f in self.fails if f.spec is spec and f.broken not in spec.properties]
        if found:
            yield f"Besides broken properties, the check finds {caught(found, OTHERS)}."

    def rule(self, spec: Spec[Any, Any], kind: str, item: Named) -> Iterator[str]:
        """A registered action or property."""
        rule = rule_of(item)
        fn = item.fn
        assert isinstance(fn, FunctionType)  # `roots` has seen to it
        yield from (self.linked(rule.sentence, but=item.rule), "")
        yield from fenced(formula(kind == ACTION, item))
        answer = []
        if isinstance(item.answer, FunctionType):
            answer = [f"Answer: {self.link(item.answer, roles(fn).others)}."]
        of = [each for each in spec.actions.values() if each.rule in item.of]
        links = [f"of {conjoined([self.link(source(each.fn).fn) for each in of])}"] if of else []
        beside = [*answer, *self.declared(item), *self.uses(fn, item.trigger)]
        small = [" ".join([f"*{', '.join([kind, *marks(item), *links])}.*", *beside])]
        if item.rank is not None:
            small.append(self.why(item))
        if rule.source:
            standing = f"; {rule.standing}" if rule.standing else ""
            small.append(f"Source: {self.linked(rule.source)}{standing}. {self.code(fn)}")
        else:
            small[-1] += f" {self.code(fn)}"
        found = [f for f in self.fails if f.spec is spec and f.broken == item.name]
        if found:
            small.append(f"Caught: {caught(found)}.")
        small += [f"Assured: {how}." for how in self.how(item.rule)]
        yield "\\\n".join(small)

    def declared(self, item: Named) -> Iterator[str]:
        """The declarations of an action: which fields they change, and where one must be possible."""
        if item.changes is not None:
            names = [f"`{each}`" for each in item.changes.split()]
            yield f"Changes {conjoined(names)} only." if names else "Changes nothing."
        if isinstance(item.whenever, FunctionType):
            yield f"Possible whenever {self.link(item.whenever, roles(item.fn).others)}."

    def promised(self) -> Iterator[str]:
        """The promises, which have no formula."""
        yield from (PROMISED, "")
        yield "| rule | promise | seen | source | assured |"
        yield "|---|---|---|---|---|"
        for promise in self.promises:
            rests = f"{self.linked(promise.source)}; {promise.standing}"
            how = "".join(self.how(promise.rule))
            yield f"| {promise.rule} | {self.linked(promise.text)} | of the {promise.where} | {rests} | {how} |"

    def how(self, rule: str) -> list[str]:
        """How a rule is assured, if that is stored."""
        parts = self.assured[rule].parts() if rule in self.assured else ()
        return [found] if (found := "; ".join(parts)) else []

    # --- links ---------------------------------------------------------------------------------------------

    def link(self, fn: FunctionType, params: Sequence[str] = ()) -> str:
        return f"[`{fn.__name__}{'(' + ', '.join(params) + ')' if params else ''}`](#{self.places[fn]})"

    def uses(self, fn: FunctionType, trigger: object = None) -> list[str]:
        """The definitions that a formula names."""
        found = [trigger] if isinstance(trigger, FunctionType) else []
        found += [helper for helper in callees(fn) if helper is not fn]
        return [f"Uses {conjoined([self.link(helper) for helper in found])}."] if found else []

    def why(self, item: Named) -> str:
        """The rank of a leads-to property, and the actions that lower it."""
        of = {fn.__name__: fn for fn in item.reasons if isinstance(fn, FunctionType)}
        assert item.rank is not None
        rank = self.link(of[item.rank.__name__])
        lowered = [f"`{name}` where {self.link(of[when.__name__])}" for name, when in item.by]
        return f"By the rank {rank}, which is lowered by {conjoined(lowered) if lowered else 'every step'}."

    def linked_paragraphs(self, texts: Sequence[str]) -> Iterator[str]:
        """Prose with links, an empty line after each paragraph."""
        for text in texts:
            yield from (self.linked(text), "")

    def code(self, fn: FunctionType) -> str:
        """A link to the code of a function."""
        read = source(fn)
        path, home = Path(read.path), HOME / "spec"
        name = path.relative_to(home).as_posix() if path.is_relative_to(home) else path.name
        link = Path(os.path.relpath(path, self.folder)).as_posix()
        return f"[{name}:{read.line}]({link}#L{read.line})"

    def linked(self, text: str, but: str = "") -> str:
        """Prose with links for the rules that it names, except the rule `but`."""

        def link(match: re.Match[str]) -> str:
            known = match[0] in self.rules and match[0] != but
            return f"[{match[0]}](#{self.rules[match[0]]})" if known else match[0]

        return NAMED.sub(link, prose(text))


def marks(item: Named) -> list[str]:
    """How an action is marked."""
    return [mark for mark, holds in (("fair", item.fair), ("hidden", item.hidden)) if holds]


def caught(found: Sequence[Fails], what: Mapping[str, str] | None = None) -> str:
    """The mutants, and after how many steps they are found; `what`: the words for `Fails.broken`."""
    titles = (f"{prose(f.title.removeprefix(f'{f.spec.name}: '))} ({steps(f.depth)})" for f in found)
    if what is None:
        return "; ".join(titles)
    return "; ".join(f"{what[f.broken]}, {title}" for f, title in zip(found, titles, strict=True))


def number(rule: str) -> tuple[str, int]:
    """The sort key of an identifier."""
    family, _, digits = rule.rpartition("-")
    return family, int(digits)
