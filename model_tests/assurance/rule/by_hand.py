"""The parts of a rule that only a person can write: what of them is missing, each with the file where it goes.

Of a rule of a specification: its source and standing; of a property also a mutant that breaks it, the bounded model
that refutes the mutant, and a reason if no mutant is refuted by this property alone.  Of a rule that programs can
observe: a vector, or its name in the list of those that no vector can show.  A promise has no specification: impl names
it, and a vector or a test.
"""

import pkgutil
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from impl.commands.options import UsageError
from spec import promises
from spec.kit.bounded import Fails
from spec.kit.core import IDENTIFIER, Named, Spec
from spec.kit.rules import NAMED, Promise, problems
from spec.registry import REGISTRY

from ...dev.pythons import ROOT
from ...programs.vectors.catalogue import CATALOGUE, FAMILIES, Family
from ..mutation import evidence

# Any: specifications of any constants and states.

#: The test with the list of the rules that no vector can show.
UNSEEN: Final = ROOT / "model_tests" / "tests" / "programs" / "vectors" / "test_vectors.py"


class MissingPart(NamedTuple):
    """A file, and a part of the rule that it lacks."""

    path: Path
    part: str

    def __str__(self) -> str:
        path = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path
        return f"{path.as_posix()}: {self.part}"


class FoundRule(NamedTuple):
    """A rule: its place in a specification, or a promise."""

    spec: Spec[Any, Any] | None = None
    item: Named | None = None
    promise: Promise | None = None


def find(rule: str) -> FoundRule:
    """Return the rule of this identifier.

    Raises:
        UsageError: it is no identifier, or nothing is registered under it.
    """
    if not re.fullmatch(IDENTIFIER, rule):
        raise UsageError(f"{rule!r} is no identifier, such as QUEUE-40")
    for spec in {id(each.spec): each.spec for each in REGISTRY}.values():
        for item in (item for table in spec.tables() for item in table.values()):
            if item.rule == rule:
                return FoundRule(spec, item)
    for promise in promises.PROMISES:
        if promise.rule == rule:
            return FoundRule(promise=promise)
    raise UsageError(f"no specification has {rule}: {home_of(rule)}")


def missing(found: FoundRule, *, generated: bool = True) -> Iterator[MissingPart]:
    """Yield the missing parts of a rule.

    Parameters:
        generated: the generated files are fresh, so that they say what would notice if the rule were deleted.
    """
    if found.spec is not None and found.item is not None:
        yield from of_specification(found.spec, found.item, generated)
    if found.promise is not None:
        yield from of_promise(found.promise)


def of_specification(spec: Spec[Any, Any], item: Named, generated: bool) -> Iterator[MissingPart]:
    """Yield the missing parts of a rule of a specification."""
    text = Path(item.fn.__code__.co_filename)
    for problem in problems(spec):
        place, _, lacks = problem.partition(f": {item.rule} ")
        if lacks:
            yield MissingPart(
                text, f"{lacks}: end the docstring with [source; standing] (line {place.rpartition(':')[2]})"
            )
    if item.name in spec.properties:
        yield from of_property(spec, item, generated)
    if shown_by_programs(item.rule):
        yield from of_vectors(item.rule)


def of_property(spec: Spec[Any, Any], item: Named, generated: bool) -> Iterator[MissingPart]:
    """Yield the missing parts of a property: it must be able to fail, and something must miss it."""
    wrong = [each for each in REGISTRY if isinstance(each, Fails) and each.spec is spec]
    mine = [each for each in wrong if each.broken == item.name]
    module, named = mutants(spec)
    bounded = module.parent / "bounded.py"
    if not mine and item.name not in named:
        yield MissingPart(module, f"a mutant that breaks {item.name} ({item.rule})")
    if not mine:
        yield MissingPart(bounded, f"the mutant that breaks {item.name}, with a depth: the check prints the right one")
    elif generated and f"{spec.name}: {item.name}" not in evidence.read() and not any(each.claim for each in mine):
        yield MissingPart(
            module,
            f"a mutant that {item.name} alone refutes (of {len(mine)}, others refute each): without it nothing would"
            f" notice if {item.name} were deleted; if it follows from others, say so in the row of its mutant in"
            f" {bounded.name}: claim=...",
        )


def mutants(spec: Spec[Any, Any]) -> tuple[Path, set[str]]:
    """Return the file with the mutants of a specification, and the properties that its tables name."""
    home = next(iter(spec.inits.values())).fn.__module__.rpartition(".")[0]
    names = [each.name for each in pkgutil.iter_modules(import_module(home).__path__) if "mutants" in each.name]
    found = [(import_module(f"{home}.{name}"), set[str]()) for name in names]
    for module, named in found:
        for key, value in chain.from_iterable(map(entries, vars(module).values())):
            if isinstance(value, Spec) and value.extends is spec:
                named.add(key)
    module, named = max(found, key=lambda each: len(each[1]))
    return file_of(module), named


def entries(value: object) -> Iterator[tuple[str, object]]:
    """Yield the keys and values of a table of mutants, whose keys may be numbered; a value by itself has no key."""
    if isinstance(value, dict):
        yield from ((key[0] if isinstance(key, tuple) else key, each) for key, each in value.items())
    else:
        yield "", value


def file_of(module: ModuleType) -> Path:
    """Return the file of a module."""
    assert module.__file__ is not None
    return Path(module.__file__)


def shown_by_programs(rule: str) -> bool:
    """Whether the rule is of a family that programs on asyncio's names show."""
    return rule.partition("-")[0] in import_module(f"{TESTS}.programs.vectors.test_vectors").NAMES


#: The package of the tests.
TESTS: Final = f"{__package__.removesuffix('.assurance.rule')}.tests"


def of_vectors(rule: str) -> Iterator[MissingPart]:
    """Yield the missing vector of a rule, with the catalogue that shows most rules of its family."""
    unseen = import_module(f"{TESTS}.programs.vectors.test_vectors").UNSEEN
    if rule in unseen or any(rule in vector.rules for vector in CATALOGUE):
        return
    family = f"{rule.partition('-')[0]}-"

    def shown(text: Family) -> int:
        return len({each for vector in text.vectors for each in vector.rules if each.startswith(family)})

    path = max(FAMILIES, key=shown).path
    yield MissingPart(
        path,
        f"{rule} in the heading of a vector that shows it; if no program can, list it in UNSEEN of"
        f" {UNSEEN.relative_to(ROOT).as_posix()}",
    )


def of_promise(promise: Promise) -> Iterator[MissingPart]:
    """Yield the missing parts of a rule that is stated in a sentence only."""
    if promise.rule not in names("impl"):
        yield MissingPart(ROOT / "impl", f"{promise.rule} in the docstring or comment of the code that keeps it")
    if promise.where == "names":
        yield from of_vectors(promise.rule)
    elif promise.rule not in names("model_tests/tests"):
        yield MissingPart(
            ROOT / "model_tests" / "tests",
            f"a test that names {promise.rule}, with HELD if it is the only one",
        )


@cache
def names(folder: str) -> set[str]:
    """Return the identifiers that the files of a folder name."""
    files = chain((ROOT / folder).rglob("*.py"), (ROOT / folder).rglob("*.txt"))
    return {rule for path in files for rule in NAMED.findall(path.read_text("utf-8"))}


def home_of(rule: str) -> str:
    """Return a sentence that says in which file the docstring of an unknown rule begins."""
    family = rule.partition("-")[0]
    specs = {id(each.spec): each.spec for each in REGISTRY}.values()
    given = [item for spec in specs for table in spec.tables() for item in table.values()]
    texts = Counter(item.fn.__code__.co_filename for item in given if item.rule.startswith(f"{family}-"))
    begins = f'"""{rule}: '
    for path in sorted((ROOT / "spec").rglob("*.py")):
        if begins in (text := path.read_text(encoding="utf-8")):
            line = text[: text.index(begins)].count("\n") + 1
            return f"{path.relative_to(ROOT).as_posix()}:{line} has its docstring, but no decorator registers it"
    if texts:
        path = Path(texts.most_common(1)[0][0]).relative_to(ROOT)
        return f"begin its docstring with {begins}in {path.as_posix()}"
    if any(each.rule.startswith(f"{family}-") for each in promises.PROMISES):
        return f"begin its sentence with {rule}: in {promises.TABLE.relative_to(ROOT).as_posix()}"
    known = {*(item.rule for item in given), *(each.rule for each in promises.PROMISES)}
    families = sorted({each.partition("-")[0] for each in known})
    return f"the family {family} is none of {', '.join(families)}"
