"""`loopspec explain RULE`: a rule on one page.

The argument is the identifier of a rule (`CANCEL-8`), the beginning of one (`CANCEL`), or words that its sentence,
name or source has.  One rule is explained; of several there is a list.  A part for which there is nothing says why.
Nothing is run: all of it is stored, or stands in the sources.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from impl.options import Parser, UsageError
from spec.commands.rules import KINDS, traits
from spec.kit import assurance
from spec.kit.bounded import Fails, rewritten
from spec.kit.core import Named, Spec
from spec.kit.render.formulas import formula
from spec.kit.rules import Promise, Rule, rule_of, where
from spec.promises import PROMISES
from spec.registry import REGISTRY

from .conformance.cases.sources import Case, catalogue
from .conformance.facts.fact import facts
from .findings.catalogue import FINDINGS
from .programs.enumeration import Program
from .programs.script import ASYNCIO, Script, spoken
from .programs.shrink import made, said
from .vectors.known import BUGS

HOME: Final = Path(__file__).parents[1]
TESTS: Final = Path(__file__).with_name("tests")
#: The columns of prose.
WIDTH: Final = 100
#: The most names in a list.
MOST: Final = 12
RULE: Final = re.compile(r"\b[A-Z][A-Z0-9_]*-[0-9]+\b")
#: Where a rule that is not of the names is seen.
SEEN: Final = {"loop": "our own loop", "crawl": "crawls"}


@dataclass(frozen=True)
class Entry:
    """A rule, its kind, and where it is given: a registered function of a specification, or a promise."""

    rule: Rule
    kind: str
    spec: Spec[Any, Any] | None = None  # of any specification
    item: Named | None = None
    promise: Promise | None = None

    @property
    def id(self) -> str:
        return self.rule.identifier

    @property
    def title(self) -> str:
        """What it is, in a few words."""
        if self.spec is None or self.item is None:
            return f"promise, of the {self.promise.where}" if self.promise else ""
        return f"{self.item.name}, {self.kind} of {self.spec.name}"

    @property
    def text(self) -> str:
        """All that a search looks at."""
        return f"{self.id} {self.title} {self.rule.sentence} {self.rule.source}".casefold()


@cache
def entries() -> dict[str, Entry]:
    """Return all rules: those of the specifications in their order, then the promises."""
    specs = {id(instance.spec): instance.spec for instance in REGISTRY}.values()
    found = [
        Entry(rule_of(item), " ".join([traits(item), kind]).strip(), spec, item)
        for spec in specs
        for kind, table in zip(KINDS, spec.tables(), strict=True)
        for item in table.values()
    ]
    found += [
        Entry(Rule(each.rule, each.text, each.source, each.standing), "promise", promise=each)
        for each in PROMISES
    ]
    return {entry.id: entry for entry in found}


def search(words: Sequence[str]) -> list[Entry]:
    """Return the rule of this identifier, or those that begin with it, or those in which all words stand."""
    known, wanted = entries(), " ".join(words).upper()
    if wanted in known:
        return [known[wanted]]
    family = [entry for entry in known.values() if re.fullmatch(rf"{re.escape(wanted)}(-?\d*)", entry.id)]
    return family or [
        entry for entry in known.values() if all(word.casefold() in entry.text for word in words)
    ]


def page(entry: Entry) -> Iterator[str]:
    """Yield the lines of a rule's page; each part has a heading and at least one line."""
    yield f"{entry.id}: {entry.title}"
    yield ""
    yield from _wrapped(entry.rule.sentence)
    yield from _wrapped(f"Source: {entry.rule.source}; {entry.rule.standing}.")
    for heading, lines in parts(entry).items():
        yield ""
        yield heading
        yield ""
        yield from lines


def parts(entry: Entry) -> dict[str, list[str]]:
    """Return the parts of a page by their headings."""
    return {
        "Why it matters": list(_why(entry)),
        "A program": list(_program(entry)),
        "The formula": list(_formula(entry)),
        "Where": list(_where(entry)),
        "Vectors and wrong texts": list(_checks(entry)),
        "CPythons that break it": list(_broken(entry)),
        "How it is assured": list(_assured(entry)),
    }


# --- the parts ---------------------------------------------------------------------------------------------------


def _why(entry: Entry) -> Iterator[str]:
    """What goes wrong where it is broken: in CPython, in libraries, in the wrong texts of the specification."""
    found = [f"{bug.name} of CPython: {bug.wrong} ({bug.issue})" for bug in BUGS if entry.id in bug.rules]
    found += [
        f"{each.library} {each.versions[-1]}: {each.bug}"
        for each in FINDINGS
        if re.search(rf"\b{entry.id}\b", each.rule)
    ]
    found += [f"a wrong text: {title}" for title in _wrong_texts(entry)]
    if found:
        yield from _wrapped("What happens where it does not hold:")
        yield from _listed(found)
    elif entry.rule.standing == "defined":
        yield from _wrapped("It says what a part of the specification means; other rules rest on it.")
    else:
        yield from _wrapped(
            f"{entry.rule.source.partition(',')[0]} says so, and programs rely on it; neither a CPython nor a library"
            " that breaks it is known."
        )


def _program(entry: Entry) -> Iterator[str]:
    """The shortest program that shows it, and what that prints; or a fact."""
    if shown := [case for case in catalogue() if entry.id in case.rules]:
        case = min(shown, key=lambda each: len(Shown(each.program).text()))
        yield from _wrapped(f"Of {_many(len(shown), 'vector')} the shortest: {case.name}.")
        yield ""
        yield from _indented(Shown(case.program).text())
        yield ""
        yield from _wrapped("It sees:")
        yield ""
        yield from _indented(_seen(case))
    elif fact := next((fact for fact in facts().values() if entry.id in fact.rules), None):
        yield from _wrapped(f"A fact, of which every assertion holds: {fact.text}")
        yield ""
        yield from _indented(fact.function(ASYNCIO, ()))
    elif entry.promise and entry.promise.where in SEEN:
        yield from _wrapped(
            f"None: it is seen on {SEEN[entry.promise.where]}, not in a program with asyncio's names."
        )
    elif entry.rule.standing == "defined":
        yield from _wrapped(
            "None: it is about this specification's own state or constants, which no program sees."
        )
    else:
        yield from _wrapped(
            "None that shows it alone: it is seen in whole runs, which are held to its specification."
        )


def _formula(entry: Entry) -> Iterator[str]:
    if entry.item is None:
        yield from _wrapped("None: a promise is stated in a sentence, and shown by examples.")
    else:
        yield from _indented("\n".join(formula("action" in entry.kind, entry.item)))


def _where(entry: Entry) -> Iterator[str]:
    at = ":".join(map(str, where(entry.item.fn))) if entry.item else "spec/promises.py"
    yield from _wrapped(f"Stated: {at}.")
    built = _named(HOME / "impl").get(entry.id, [])
    yield from _wrapped(
        f"Implemented: {_some(built)}." if built else "Implemented: no comment in impl names it."
    )
    if TESTS.exists():
        named = _named(TESTS).get(entry.id, [])
        yield from _wrapped(f"Tested by name: {_some(named)}." if named else "Tested by name: in no file.")


def _checks(entry: Entry) -> Iterator[str]:
    names = [case.name for case in catalogue() if entry.id in case.rules]
    yield from _wrapped(f"Vectors: {_some(names)}." if names else "Vectors: none names it.")
    wrong = _wrong_texts(entry)
    none = (
        "has another form of this action"
        if "action" in entry.kind
        else "is about a condition on models, or a promise"
    )
    yield from _wrapped(f"Wrong texts: {_some(wrong) if wrong else f'none {none}'}.")


def _broken(entry: Entry) -> Iterator[str]:
    bugs = [bug for bug in BUGS if entry.id in bug.rules]
    yield from _listed(
        [
            f"{'.'.join(map(str, bug.since))} to before {'.'.join(map(str, bug.before))}: {bug.name},"
            f" {bug.wrong} ({bug.issue})"
            for bug in bugs
        ]
    )
    if not bugs:
        yield from _wrapped("None is known.")


def _assured(entry: Entry) -> Iterator[str]:
    rows = assurance.load()
    yield from _listed(list(rows[entry.id].parts()) if entry.id in rows else ["not yet: its table is stale"])


# --- what they are made of ---------------------------------------------------------------------------------------


class Shown(Script):
    """A program as plain asyncio, without the lines that print what it sees."""

    def __init__(self, program: Program) -> None:
        super().__init__(program, ASYNCIO)
        self.things -= {"main"} - said(program)

    def text(self) -> str:
        """Return its functions, main last."""
        return "\n".join(self.functions())

    def functions(self) -> Iterator[str]:
        """Yield the text of each."""
        for name, acts in self.callbacks.items():
            yield (
                f"def {name}(*args):\n"
                + "".join(f"    {self.value(e)}\n" for e in acts)
                + "    ...\n" * (not acts)
            )
        for name, body in {**self.program["bodies"], "main": self.program["main"]}.items():
            names = sorted(made({"main": body, "bodies": {}}))
            shared = f"    global {', '.join(names)}\n" * bool(names and len(self.things) > len(names))
            yield f"async def {self.function(name)}():\n{shared}" + "".join(self.block(name, body, 1))

    def statement(self, actor: str, kind: str, *rest: Any) -> Iterator[str]:
        """Yield the lines of a statement before its blocks."""
        if kind in ("do", "await"):
            yield "await " * (kind == "await") + f"{self.value(rest[0])}\n"
        elif kind == "see":
            yield f"print({rest[0]})\n"
        elif kind == "forget":
            yield f"del {rest[0]}\n"
        elif kind != "with":
            yield from super().statement(actor, kind, *rest)

    def inner(self, kind: str, *rest: Any) -> Iterator[tuple[str, list[Any]]]:
        """Yield the blocks of a statement, each with its head."""
        if kind == "with":
            yield f"async with {self.value(rest[0])}{f' as {rest[1]}' if rest[1] else ''}:", rest[2]
        else:
            yield from super().inner(kind, *rest)


def _seen(case: Case) -> str:
    return "\n".join(f"{spoken(line)}{f'  ({line[0]} ms)' if line[0] else ''}" for line in case.expected)


def _wrong_texts(entry: Entry) -> list[str]:
    """The titles of the wrong texts that break a property, or that write an action in another way."""
    item = entry.item
    if item is None:
        return []
    of = [each for each in REGISTRY if isinstance(each, Fails) and each.spec is entry.spec]
    if "action" in entry.kind:
        of = [each for each in of if item in rewritten(each)]
    else:
        of = [each for each in of if each.broken == item.name]
    return [each.title.removeprefix(f"{each.spec.name}: ") for each in of]


@cache
def _named(folder: Path) -> dict[str, list[str]]:
    """The places below a folder that name each rule: of a file the first, with the function or class around it."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = {
            match[0]: text.count("\n", 0, match.start()) + 1 for match in reversed([*RULE.finditer(text)])
        }
        tree = ast.parse(text if lines else "")
        for rule, line in lines.items():
            name = _around(tree, line)
            place = f"{path.relative_to(HOME).as_posix()}:{line}" + (f" ({name})" if name else "")
            found.setdefault(rule, []).append(place)
    return found


def _around(tree: ast.Module, line: int) -> str:
    """The innermost function or class around a line, with those around it; empty outside of all."""
    names: list[str] = []
    inside: list[ast.stmt] = list(tree.body)
    while inside:
        match inside.pop():
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() as node if (
                node.lineno <= line <= (node.end_lineno or 0)
            ):
                names.append(node.name)
                inside = list(node.body)
    return ".".join(names)


def _some(names: Sequence[str]) -> str:
    more = len(names) - MOST
    return "; ".join(names[:MOST]) + (f"; and {more} more" if more > 0 else "")


def _many(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ", break_long_words=False)


def _listed(texts: Sequence[str]) -> list[str]:
    more = len(texts) - MOST
    kept = [*texts[:MOST], *([f"and {more} more"] if more > 0 else [])]
    return [line for text in kept for line in _wrapped(f"- {text}")]


def _indented(text: str) -> list[str]:
    return textwrap.indent(text.rstrip(), "      ").splitlines()


# --- the command -------------------------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with those arguments (None: those of the process); return the exit status."""
    parser = Parser(prog="loopspec explain", description="Explain a rule, or list those that fit.")
    parser.add_argument(
        "rule", nargs="*", metavar="RULE | WORD", help="an identifier, its beginning, or words"
    )
    try:
        options = parser.parse_args(argv)
        if not options.rule:
            raise UsageError("which rule?  give an identifier, its beginning, or words")
    except UsageError as error:
        print(f"loopspec explain: {error}", file=sys.stderr)
        return 2
    found = search(options.rule)
    if not found:
        print(
            f"loopspec explain: no rule has {' '.join(options.rule)}; loopspec rules lists all",
            file=sys.stderr,
        )
        return 2
    if len(found) == 1:
        print("\n".join(page(found[0])))
        return 0
    for entry in found:
        print(f"{entry.id:<12} {textwrap.shorten(entry.rule.sentence, WIDTH - 13, placeholder=' ...')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
