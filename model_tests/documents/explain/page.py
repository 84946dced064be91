"""The parts of a rule's page, of sentences, items of a list and code.  An empty part says why it is empty."""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from spec.kit import assurance
from spec.kit.assurance import many
from spec.kit.bounded import Fails, rewritten
from spec.kit.render.formulas import formula
from spec.kit.rules import NAMED, where
from spec.registry import REGISTRY

from ...conformance.cases.sources import Case, catalogue
from ...libraries.finding import FINDINGS
from ...programs.vectors.known_bugs import BUGS, bugs_of
from .entries import HOME, TESTS, Entry, entries, named, promised, vectors
from .runnable import program_of

#: The columns of prose.
WIDTH: Final = 100
#: The most names in a list.
MOST: Final = 12


@dataclass(frozen=True)
class Sentence:
    """A paragraph, of one sentence or a few."""

    text: str


@dataclass(frozen=True)
class ListItem:
    """One item of a list."""

    text: str


@dataclass(frozen=True)
class Code:
    """Lines that are shown as they are; `language` is that of a fenced block of Markdown."""

    text: str
    language: str = "text"


Block = Sentence | ListItem | Code


def lines(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of the blocks in a terminal, with an empty one around each block of code."""
    before: Block | None = None
    for block in blocks:
        if before is not None and (isinstance(block, Code) or isinstance(before, Code)):
            yield ""
        before = block
        match block:
            case Sentence(text):
                yield from _wrapped(text)
            case ListItem(text):
                yield from _wrapped(f"- {text}")
            case Code(text):
                yield from textwrap.indent(text.rstrip(), "      ").splitlines()


def items(texts: Sequence[str], most: int = MOST) -> Iterator[ListItem]:
    """Yield the first so many texts as items, and how many more there are."""
    yield from map(ListItem, texts[:most])
    if len(texts) > most:
        yield ListItem(f"and {len(texts) - most} more")


def some(names: Sequence[str]) -> str:
    """Return the first MOST names, and how many more there are."""
    more = len(names) - MOST
    return "; ".join(names[:MOST]) + (f"; and {more} more" if more > 0 else "")


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)


# --- the page ---------------------------------------------------------------------------------------------------------

#: Where a rule that is not of the names is seen.
SEEN: Final = {"loop": "our own loop", "crawl": "crawls", "kernel": "our own kernel"}
#: The claim that the rules of these kinds make about the models of a specification.
MODELS: Final = {"assumption": "and says what they may contain", "initial": "and says where they begin"}
#: The most rules that a page names as related.
RELATED: Final = 8


def page(entry: Entry) -> Iterator[str]:
    """Yield the lines of a rule's page in a terminal; each part has a heading and at least one line."""
    yield f"{entry.id}: {entry.title}"
    yield ""
    yield from lines(head(entry))
    for heading, blocks in parts(entry).items():
        yield ""
        yield heading
        yield ""
        yield from lines(blocks)


def head(entry: Entry) -> Iterator[Block]:
    """Yield the sentence of a rule and its source."""
    yield Sentence(entry.rule.sentence)
    yield Sentence(f"Source: {entry.rule.source}; {entry.rule.standing}.")


def parts(entry: Entry) -> dict[str, list[Block]]:
    """Return the parts of a page by their headings."""
    return {
        "Why it matters": list(_why(entry)),
        "A program": list(_program(entry)),
        "The formula": list(_formula(entry)),
        "Where": list(_where(entry)),
        "Vectors and wrong texts": list(_checks(entry)),
        "CPythons that break it": list(_broken(entry)),
        "How it is assured": list(_assured(entry)),
        "Related rules": list(_related(entry)),
    }


# --- the parts ---------------------------------------------------------------------------------------------------


def _why(entry: Entry) -> Iterator[Block]:
    """The defects that break the rule: in CPython, in libraries, in the wrong texts of the specification."""
    found = [f"{bug.name} of CPython: {bug.wrong} ({bug.issue})" for bug in BUGS if entry.id in bug.rules]
    found += [
        f"{each.library} {each.versions[-1]}: {each.bug}"
        for each in FINDINGS
        if re.search(rf"\b{entry.id}\b", each.rule)
    ]
    found += [f"a wrong text: {title}" for title in _wrong_texts(entry)]
    if found:
        yield Sentence("What happens where it does not hold:")
        yield from items(found)
    elif entry.promise and entry.promise.where == "kernel":
        yield Sentence("It says how our own kernel runs a program: a run repeats, and always ends or says why not.")
    elif entry.rule.standing == "defined":
        yield Sentence("It says what a part of the specification means; other rules rest on it.")
    else:
        yield Sentence(
            f"{entry.rule.source.partition(',')[0]} says so, and programs rely on it; neither a CPython nor a library"
            " that breaks it is known."
        )


def _program(entry: Entry) -> Iterator[Block]:
    """The shortest program that shows it, with its output."""
    if shown := program_of(entry.id, shown_by(entry)):
        yield Sentence(f"{shown.title}  {shown.needs}".rstrip())
        yield Code(shown.text, "python")
        yield Sentence("It prints, where the rule holds:")
        yield Code(shown.printed)
    else:
        yield Sentence(f"None{_unshown(entry)}.")


def _formula(entry: Entry) -> Iterator[Block]:
    if entry.item is None:
        yield Sentence(f"None: {_unspecified(entry)}.")
    else:
        yield Code("\n".join(formula("action" in entry.kind, entry.item)))


def _where(entry: Entry) -> Iterator[Block]:
    at = ":".join(map(str, where(entry.item.fn))) if entry.item else promised()[entry.id]
    yield Sentence(f"Stated: {at}.")
    built = named(HOME / "impl").get(entry.id, [])
    yield Sentence(f"Implemented: {some(built)}." if built else "Implemented: no comment in impl names it.")
    if TESTS.exists():
        tests = named(TESTS).get(entry.id, [])
        yield Sentence(
            f"Tested by name: {some(tests)}."
            if tests
            else "Tested by name: in no file; the checks below hold code to it without naming it."
        )


def _checks(entry: Entry) -> Iterator[Block]:
    if shown := shown_by(entry):
        yield Sentence("Vectors:")
        yield from items([f"{case.name} ({vectors()[case.name]})" for case in shown])
    else:
        yield Sentence(f"Vectors: none{_unseen(entry)}.")
    yield Sentence(f"Wrong texts: {some(_wrong_texts(entry)) or _unbroken(entry)}.")


def _broken(entry: Entry) -> Iterator[Block]:
    bugs = bugs_of(entry.id)
    yield from items([f"{bug.releases}: {bug.name}, {bug.wrong} ({bug.issue})" for bug in bugs])
    if not bugs and (shown := shown_by(entry)):
        yield Sentence(f"None is known; the matrix plays {many(len(shown), 'vector')} of it on each CPython.")
    elif not bugs:
        yield Sentence("None is known; no vector is about it, so the matrix does not ask the CPythons.")


def _assured(entry: Entry) -> Iterator[Block]:
    rows = _rows()
    yield from items([*rows[entry.id].parts()] if entry.id in rows else ["not yet: its table is stale"])


def _related(entry: Entry) -> Iterator[Block]:
    """The rules that its sentence names, then those of the same wrong texts, then those of the same vectors."""
    known = entries()
    found = dict.fromkeys(NAMED.findall(entry.rule.sentence))
    found |= dict.fromkeys(_of_wrong_texts(entry))
    beside = Counter(rule for case in shown_by(entry) for rule in case.rules)
    found |= dict.fromkeys(rule for rule, _ in beside.most_common())
    rules = [rule for rule in found if rule in known and rule != entry.id]
    yield from items([f"{rule}: {known[rule].rule.sentence}" for rule in rules], RELATED)
    if not rules:
        yield Sentence("None: its sentence names no other, and no vector and no wrong text is about it and another.")


# --- why a part is empty -----------------------------------------------------------------------------------------


def _unshown(entry: Entry) -> str:
    """Why no program shows a rule."""
    row = _rows().get(entry.id, assurance.Row())
    if entry.promise and entry.promise.where in SEEN:
        return f": it is seen on {SEEN[entry.promise.where]}, not in a program with asyncio's names"
    if entry.kind in MODELS:
        return f": it is about the models of the specification, {MODELS[entry.kind]}"
    if entry.kind == "leads-to":
        return ": it says what comes at last, however long that takes; the search finds no fair run without it"
    if row.machine or row.traces:
        return f" that shows it alone: {many(row.machine + row.traces, 'whole run')} are held to its specification"
    return ": its specification is searched, but no run is held to it"


def _unspecified(entry: Entry) -> str:
    """Why a promise has no formula."""
    if entry.promise and entry.promise.where == "kernel":
        return "a rule of the kernel, which no specification of tasks can see; it is stated in a sentence"
    return "a promise is stated in a sentence, and shown by examples"


def _unseen(entry: Entry) -> str:
    """Why no vector shows a rule."""
    if entry.promise and entry.promise.where in SEEN:
        return f": it is seen on {SEEN[entry.promise.where]}"
    return " names it; what else shows it is listed below"


def _unbroken(entry: Entry) -> str:
    """Why no wrong text breaks a rule."""
    if entry.promise:
        return "none, for there is no formula to write in another way"
    return "none has another form of this action" if "action" in entry.kind else "none: it is a condition on models"


# --- their elements ----------------------------------------------------------------------------------------------


@cache
def _rows() -> dict[str, assurance.Row]:
    return assurance.load()


@cache
def _by_rule() -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in catalogue():
        for rule in case.rules:
            found.setdefault(rule, []).append(case)
    return found


def shown_by(entry: Entry) -> list[Case]:
    """Return the vectors that show a rule."""
    return _by_rule().get(entry.id, [])


@cache
def _mutants(spec: str) -> list[tuple[Fails, tuple[str, ...]]]:
    """The wrong texts of a specification, each with the names of the actions that it has in another way."""
    return [
        (each, tuple(item.name for item in rewritten(each)))
        for each in REGISTRY
        if isinstance(each, Fails) and each.spec.name == spec
    ]


def _breaking(entry: Entry) -> list[tuple[Fails, tuple[str, ...]]]:
    """The wrong texts that break a property, or that write an action in another way."""
    item = entry.item
    if entry.spec is None or item is None:
        return []
    of = _mutants(entry.spec.name)
    if "action" in entry.kind:
        return [(each, actions) for each, actions in of if item.name in actions]
    return [(each, actions) for each, actions in of if each.broken == item.name]


def _wrong_texts(entry: Entry) -> list[str]:
    return [each.title.removeprefix(f"{each.spec.name}: ") for each, _ in _breaking(entry)]


def _of_wrong_texts(entry: Entry) -> Iterator[str]:
    """Of a property the actions that its wrong texts change; of an action the properties that its wrong texts break."""
    if entry.spec is None:
        return
    by_name = {item.name: item.rule for table in entry.spec.tables() for item in table.values()}
    for each, actions in _breaking(entry):
        names = (each.broken,) if "action" in entry.kind else actions
        yield from (by_name[name] for name in names if name in by_name)
