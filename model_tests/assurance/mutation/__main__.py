"""`python -m model_tests.assurance.mutation {impl,texts} [FILE ...]`: print the edits that survive.

A survivor that is not in the reviewed list is printed as SURVIVES; one that only a pinned number or a lost proof shows,
as WEAK; a reviewed one that is killed, as STALE.  Exit status: 0; 1 if there is one of these; 2 for a usage error.
A reviewed mutant that survives shows that the subject itself passes the tiers.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final, NamedTuple

from . import of_impl, of_texts, review_list
from .apart import Judge, MutantVerdict, judged, without
from .draw import order
from .edit import Edit, Key
from .review_list import Review


class MutationSubject(NamedTuple):
    """A kind of mutants: all edits, the tiers that judge one, and the libraries that a judge needs, imported once."""

    places: Callable[[], list[Edit]]
    tiers: Judge
    needs: tuple[str, ...]


#: No process may have imported these before it forks.
UNIMPORTED: Final = ("spec", "impl")
SUBJECTS: Final = {
    "impl": MutationSubject(of_impl.places, of_impl.tiers, ("hypothesis.stateful", "trio")),
    "texts": MutationSubject(of_texts.places, of_texts.tiers, ("z3",)),
}


def main(argv: Sequence[str]) -> int:
    """Run the command; return its exit status."""
    without(UNIMPORTED)
    parser = argparse.ArgumentParser("python -m model_tests.assurance.mutation", description="Make and judge mutants.")
    parser.add_argument("subject", choices=list(SUBJECTS), help="the implementation, or the specifications")
    parser.add_argument("files", nargs="*", metavar="FILE", help="only mutants of these files")
    parser.add_argument("--number", type=int, metavar="N", help="how many (all)")
    parser.add_argument("--after", type=int, default=0, metavar="N", help="leave out the first N of these")
    parser.add_argument("--seed", type=int, default=1, help="which ones, if not all (1)")
    jobs = 2 * (os.cpu_count() or 1)
    parser.add_argument("--jobs", type=int, default=jobs, metavar="N", help="so many at a time (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="leave out the reviewed, which take longest")
    options = parser.parse_intermixed_args(argv)
    subject = SUBJECTS[options.subject]
    places = subject.places()
    if unknown := sorted({*options.files} - {edit.file for edit in places}):
        parser.error(f"no mutants are made of {unknown[0]}")
    reviews = {key: review for key, review in review_list.read().items() if key[0] in {e.file for e in places}}
    drawn = order(places, options.seed)[options.after : options.number]
    if options.quick:
        drawn = [edit for edit in drawn if edit.key not in reviews]
    wanted = [edit for edit in drawn if not options.files or edit.file in options.files]
    for name in subject.needs:
        import_module(name)
    run = MutationRun(reviews)
    for review in review_list.missing(reviews, places):
        run.stale(review, "there is no such edit")
    for verdict in judged(wanted, subject.tiers, options.jobs):
        run.verdict(verdict)
    print(run.summary(len(places)))
    return 1 if run.wrong else 0


class MutationRun:
    """Prints the errors, and counts them."""

    def __init__(self, reviews: dict[Key, Review]) -> None:
        self.reviews = reviews
        self.began = time.monotonic()
        self.killers: Counter[str] = Counter()
        self.judged = self.allowed = self.wrong = 0
        self.seconds = 0.0

    def verdict(self, verdict: MutantVerdict) -> None:
        """Count a verdict, and print its error."""
        self.judged += 1
        self.seconds += sum(verdict.seconds.values())
        review = self.reviews.get(verdict.edit.key)
        if verdict.killed:
            self.killers[verdict.tier] += 1
            if review is not None:
                self.stale(review, f"killed by {verdict.by}")
        elif review is not None:
            self.allowed += 1
        else:
            self.wrong += 1
            how = f"WEAK ({'; '.join(verdict.weak)})" if verdict.weak else "SURVIVES"
            print(f"{how}: {verdict.edit}", flush=True)

    def stale(self, review: Review, why: str) -> None:
        self.wrong += 1
        print(f"STALE: {review}: {why}", flush=True)

    def summary(self, places: int) -> str:
        by = ", ".join(f"{name} {number}" for name, number in self.killers.items())
        return (
            f"{self.judged} of {places:,} mutants: {self.killers.total()} killed ({by or 'none'}), {self.allowed}"
            f" reviewed, {self.wrong} wrong; {self.seconds:.0f} CPU s, {time.monotonic() - self.began:.0f} s"
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
