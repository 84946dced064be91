"""Proofs in a process of their own, which is stopped if Z3 does not keep to its steps.

Z3 counts its steps, but not in all of its parts: its theory of sequences can run on.  A verdict that does not come in
WALL seconds is "unknown", and a new process continues with the next obligation.  Where processes cannot be forked, the
proofs run here, without that limit.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection

from .case import POSSIBLE, Obligation
from .verdicts import Prover, Verdict

#: Seconds of wall time for one obligation: far more than any needs, even on a busy machine.
WALL = 600.0


def settled(
    prover: Prover, obligations: Sequence[Obligation], tick: Callable[[int], None]
) -> tuple[Prover, dict[Obligation, Verdict]]:
    """The verdicts on the obligations, in order, such that no proof rests on a property that is not wholly proved.

    Where one does, the property is left out of the premises (`Case.unproved`), and the proofs that used it are
    repeated.  `tick` is called with the number of verdicts so far.  Raises the errors of the prover.
    """
    found: dict[Obligation, Verdict] = {}
    todo, done = list(obligations), 0
    while todo:
        for verdict in verdicts(prover, todo):
            done += 1
            tick(done)
            found[verdict.obligation] = verdict
        case = prover.case
        fallen = {o.goal for o, v in found.items() if v.result != "proved" and o.goal in case.goals}
        prover = Prover(replace(case, unproved=case.unproved | fallen), prover.pinned)
        todo = [o for o, v in found.items() if v.result == "proved" and rests(v, fallen - case.unproved)]
    return prover, {o: found[o] for o in obligations}


def rests(verdict: Verdict, fallen: Collection[str]) -> bool:
    """Whether a proof has one of those properties as a premise, or may have it."""
    goal = verdict.obligation.goal
    if goal == POSSIBLE:  # its premises are the ways that provably cannot be taken
        return bool(verdict.premises and fallen)
    return any(name in fallen and name != goal for name in verdict.premises)


def verdicts(prover: Prover, obligations: Sequence[Obligation], *, wall: float = WALL) -> Iterator[Verdict]:
    """The verdict on each of the obligations, in order.

    `wall`: the seconds after which an obligation is given up.  Raises the errors of the prover.
    """
    if "fork" not in multiprocessing.get_all_start_methods():
        yield from map(prover.prove, obligations)
        return
    left = list(obligations)
    while left:
        fork = multiprocessing.get_context("fork")
        here, there = fork.Pipe(duplex=False)
        worker = fork.Process(target=_work, args=(prover, left, there), daemon=True)
        worker.start()
        there.close()
        try:
            while left and here.poll(wall):
                got = here.recv()
                if isinstance(got, BaseException):
                    raise got
                del left[0]
                yield got
            if left:
                yield Verdict(left.pop(0), "unknown", why=f"no answer in {wall:.0f} s")
        finally:
            worker.kill()
            worker.join()
            here.close()


def _work(prover: Prover, obligations: Sequence[Obligation], there: Connection) -> None:
    """Send the verdicts, or the error that ends them."""
    try:
        for obligation in obligations:
            there.send(prover.prove(obligation))
    except KeyboardInterrupt:
        pass
    except Exception as error:
        there.send(error)
