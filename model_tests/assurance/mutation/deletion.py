"""`python -m model_tests.assurance.mutation.deletion`: each property that is deleted must be missed.

    --number N   draw so many of all, by --seed
    --find N     search again for the evidence that is not as stored, among N machine-made mutants too, and
                 store it

only.json says of each what would notice (`alone.py`).  The command tries that again, and prints as UNNOTICED what has
nothing, and as STALE what is not as stored.  A bounded model that nothing notices may have a claim beside it, a reason
to keep it; a property, beside a mutant that breaks it.
Exit status: 0; 1 if something is printed; 2 for a usage error.
"""

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Final, TypeVar

from . import evidence, of_texts
from .apart import Tier, judged, without
from .draw import order, place
from .edit import Edit, Key
from .evidence import Evidence

#: The CPU seconds for one mutant.
SECONDS: Final = 300
#: Between the names of the sole killers of a mutant.
BETWEEN: Final = " | "
R = TypeVar("R")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(
        "python -m model_tests.assurance.mutation.deletion", description="Delete, and look."
    )
    parser.add_argument("specs", nargs="*", metavar="SPEC", help="only of these specifications")
    parser.add_argument("--number", type=int, metavar="N", help="how many (all)")
    parser.add_argument("--seed", type=int, default=1, help="which ones, if not all (1)")
    parser.add_argument("--find", type=int, metavar="N", help="store what would notice, from N mutants")
    options = parser.parse_intermixed_args(argv)
    without(("spec", "impl"))
    began, stored, claims = time.monotonic(), evidence.read(), in_fork(_things)
    if unknown := sorted({*options.specs} - {of.partition(": ")[0] for of in claims}):
        parser.error(f"there is no specification {unknown[0]}")
    edits = {edit.key: edit for edit in of_texts.places()}
    mine = [of for of in claims if not options.specs or of.partition(": ")[0] in options.specs]
    drawn = sorted(mine, key=partial(place, options.seed))[: options.number]
    found = dict(zip(drawn, tried([stored.get(of, Evidence(of)) for of in drawn], claims, edits), strict=True))
    if options.find is not None:
        candidates = order([*edits.values()], options.seed)[: options.find]
        lacking = {of for of, (kind, _) in found.items() if not kind}
        new = {entry.of: entry for entry in sought(lacking, candidates)}
        evidence.write(entry for of in claims if (entry := new.get(of, stored.get(of))) is not None)
        found |= dict.fromkeys(new, ("what is stored now", ""))
    wrong = [text for _, text in found.values() if text]
    wrong += [f"STALE: {of}: there is no such thing" for of in sorted(stored.keys() - claims.keys())]
    print("".join(f"{line}\n" for line in wrong), end="")
    by = Counter(kind for kind, _ in found.values() if kind)
    counts = ", ".join(f"{kind} {number}" for kind, number in by.items())
    print(
        f"{len(drawn)} of {len(claims)} deleted, and noticed by {counts or 'nothing'}; {len(wrong)} wrong;"
        f" {time.monotonic() - began:.0f} s"
    )
    return 1 if wrong else 0


def tried(
    entries: Sequence[Evidence], claims: Mapping[str, str], edits: Mapping[Key, Edit]
) -> Iterator[tuple[str, str]]:
    """Yield of each entry the witness that notices the deletion; or, if it is not as stored, "" and a line about it."""
    for old, now in zip(entries, in_fork(partial(_again, entries)), strict=True):
        edit = edits.get(old.edit) if old.edit else None
        if old.texts:
            alone = ", ".join(now.texts) or "no wrong text"
            right, kind, why = old == now, "a wrong text", f"it alone refutes {alone}"
        elif old.proof:
            right, kind, why = old == now, "a proof", "the proof is not lost"
        elif old.edit:
            right = edit is not None and any(killed([edit], {old.of}))
            kind, why = "a mutant", f"it is not alone in killing {edit or old.edit}"
        elif old.missed:
            right, kind, why = old == now, "vacuity", "without it every part is reached"
        elif claims[old.of]:
            right, kind, why = True, "a claim", ""
        else:
            yield "", f"UNNOTICED: {old.of}"
            continue
        yield (kind, "") if right else ("", f"STALE: {old.of}: {why}")


def sought(lacking: Collection[str], candidates: Iterable[Edit]) -> Iterator[Evidence]:
    """Yield the present witnesses: a wrong text, a proof, vacuity, or one of the candidates."""
    now = in_fork(partial(_again, [Evidence(of) for of in lacking], every=True))
    yield from (entry for entry in now if entry != Evidence(entry.of))
    for of, edit in killed(candidates, {entry.of for entry in now if entry == Evidence(entry.of)}):
        yield Evidence(of, edit=edit.key)


def killed(edits: Iterable[Edit], wanted: Collection[str]) -> Iterator[tuple[str, Edit]]:
    """Yield each of the wanted with the first of these mutants that nothing else kills."""
    left = set(wanted)
    for edit in edits:
        if not left:
            return
        [verdict] = judged([edit], partial(_tiers, wanted=left))
        for of in left.intersection(verdict.by.split(BETWEEN)):
            left.remove(of)
            yield of, edit


def _tiers(edit: Edit, wanted: Collection[str]) -> Iterator[Tier]:
    def alone() -> str:
        if of_texts.unimportable():
            return ""
        from .alone import shows

        return BETWEEN.join(shows(edit, wanted))

    yield Tier("alone", SECONDS, alone)


def in_fork(function: Callable[[], R]) -> R:
    """Return the result of a function in a process of its own, so that this one imports no specification."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        return pool.submit(function).result()


def _things() -> dict[str, str]:
    from .alone import things

    return things()


def _again(entries: Sequence[Evidence], *, every: bool = False) -> list[Evidence]:
    from .alone import again

    return [again(entry, every=every) for entry in entries]


if __name__ == "__main__":
    sys.exit(main())
