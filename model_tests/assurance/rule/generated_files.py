"""The files that are made from the rules, each after those that it is made from.

    vectors.json         the catalogue of vectors
    expected.txt         the lines of the kit's other programs; the catalogue makes some of them
    premises.json        the proofs of the specification of the rule
    only.json            what would notice if one of its properties were deleted
    assurance.json       counts of all of these, by rule
    queue/README.md      the queue in short
    the guides           the output of what they show, where that is about specifications

A file is written only if it is stale; a proof is made only if the text that it is about has changed.
"""

import io
import re
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext, redirect_stderr, redirect_stdout
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

from spec.cases import CASES
from spec.commands import prove
from spec.commands.run import CheckRun, Live
from spec.kit import assurance as table
from spec.kit.core import Spec
from spec.kit.prove import premises
from spec.kit.render.brief import brief
from spec.registry import REGISTRY

from ...conformance import expectations
from ...conformance.cases import expected_lines
from ...conformance.vectors import command as vectors
from ...dev import tutorial
from ...dev.pythons import ROOT
from ...programs.vectors.vector import FILE as VECTORS
from .. import table as assurance
from ..mutation import evidence

# Any: specifications of any constants and states.

#: The specification of the queue in short, the one document that is stored.
DOCUMENT: Final = ROOT / "spec" / "queue" / "README.md"
#: A block of a page whose output may depend on a rule: a command about specifications, or a program that imports them.
ABOUT: Final = re.compile(
    r"loopspec (?:check|prove|explain|conform|vectors)\b|python -m spec\b"
    r"|^(?:from|import) (?:spec|loopspec|model_tests)\b",
    re.MULTILINE,
)
#: A program that imports the package of the wheel, which a checkout does not have.
WHEEL: Final = re.compile(r"^(?:from|import) loopspec\b", re.MULTILINE)


class Step(NamedTuple):
    """A generated file, and the function that writes it if it is stale; it may return a line for each problem."""

    path: Path
    make: Callable[[], list[str] | None]


def checked(spec: Spec[Any, Any] | None) -> list[str]:
    """Search the bounded models of a specification, or none (None); return the lines about those not as pinned."""
    run, instances, wrong = CheckRun(0, Live(None)), [each for each in REGISTRY if each.spec is spec], []
    for instance in instances:
        if instance.full:
            continue
        with redirect_stdout(io.StringIO()) as lines:
            before = run.violations
            run.instance(instance)
        if run.violations > before:
            wrong += lines.getvalue().splitlines()
    return wrong


def write_all(spec: Spec[Any, Any] | None) -> list[str]:
    """Take all steps, and print of each whether its file is another one now; return the problems."""
    return [line for step in steps(spec) for line in done(step)]


def done(step: Step) -> list[str]:
    """Take a step, and print whether its file is another one now; return what could not be made."""
    before, began = step.path.read_bytes(), time.monotonic()
    problems = step.make() or []
    state = "up to date" if step.path.read_bytes() == before else "written"
    print(
        f"{state:<10}  {time.monotonic() - began:5.1f} s  {step.path.relative_to(ROOT).as_posix()}",
        flush=True,
    )
    return problems


def steps(spec: Spec[Any, Any] | None) -> Iterator[Step]:
    """Yield the steps for a rule of a specification, or for a promise (None), in their order."""
    yield Step(VECTORS, write_vectors)
    yield Step(expected_lines.FILE, write_expected)
    if spec is not None:
        yield Step(premises.PINS, partial(pin, spec))
        yield Step(evidence.FILE, partial(write_witnesses, spec))
    yield Step(table.FILE, write_assurance)
    yield Step(DOCUMENT, write_document)
    for page in (tutorial.PLACE, tutorial.LIMITER, *tutorial.PAGES):
        if ABOUT.search(page.read_text(encoding="utf-8")):
            yield Step(page, partial(write_output, page))


def write(path: Path, text: str) -> None:
    """Write a file, unless it has that text."""
    if path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8", newline="\n")


def write_vectors() -> None:
    """Write the vectors; the outcomes of those that are new, or show other rules, are searched for."""
    write(VECTORS, "".join(f"{line}\n" for line in vectors.lines()))


def write_expected() -> list[str]:
    """Write the lines of the programs that have none yet."""
    expected_lines.vectors.cache_clear()  # the step before may have written them
    expected_lines.stored.cache_clear()
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()) as errors:
        expectations.write(again=False)
    return errors.getvalue().splitlines()


def pin(spec: Spec[Any, Any]) -> list[str]:
    """Prove a specification again, and pin its premises, if its text is not the one that was proved."""
    pins = premises.load()
    cases = [case for case in CASES if case.spec is spec]
    if all(case.name in pins and pins[case.name].text == premises.identity(case) for case in cases):
        return []
    if find_spec("z3") is None:
        return ["the proofs need z3: pip install 'loopspec[prove]'"]
    with redirect_stdout(io.StringIO()) as lines:
        failed = prove.main([spec.name, "--pin"])
    return [line for line in lines.getvalue().splitlines() if line.startswith("  ")] if failed else []


def write_witnesses(spec: Spec[Any, Any]) -> None:
    """Store what would notice the deletion of each property of a specification, and of each of its bounded models."""
    from ..mutation import alone  # its place is in a fork, where mutants are judged; here are none

    kept, claims = evidence.read(), alone.things()
    for of, claim in claims.items():
        old = kept.get(of)
        if not of.startswith(f"{spec.name}: ") or (old and old.edit):
            continue
        if claim:
            kept.pop(of, None)
        elif not old or alone.again(old) != old:
            kept[of] = alone.again(evidence.Evidence(of), every=True)
    found = [kept[of] for of in claims if of in kept and kept[of] != evidence.Evidence(of)]
    if found != list(evidence.read().values()):
        evidence.write(found)


def write_assurance() -> list[str]:
    """Write the table of assurance; return its problems."""
    rows = assurance.gather()
    write(table.FILE, table.text(rows))
    return list(assurance.problems(rows))


def write_document() -> None:
    """Write the queue's specification in short."""
    write(DOCUMENT, brief([instance for instance in REGISTRY if instance.spec.name == "queue"]))


def write_output(page: Path) -> None:
    """Write the output of the commands and programs that a page shows."""
    text = page.read_text(encoding="utf-8")
    with tutorial.with_wheel() if WHEEL.search(text) else nullcontext(tutorial.CHECKOUT) as shell:
        write(page, tutorial.updated(text, shell))
