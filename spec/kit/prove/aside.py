"""Proofs in a process of their own, which is stopped if Z3 does not keep to its steps.

Z3 counts its steps, but not in all of its parts: its theory of sequences can run on.  A verdict that does not come in
WALL seconds is "unknown", and a new process continues with the next obligation.  Where processes cannot be forked, the
proofs run here, without that limit.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection

from .case import Obligation
from .verdicts import Prover, Verdict

#: Seconds of wall time for one obligation: far more than any needs, even on a busy machine.
WALL = 600.0


def verdicts(prover: Prover, obligations: Sequence[Obligation], *, wall: float = WALL) -> Iterator[Verdict]:
    """The verdict on each of the obligations, in order.

    `wall`: the seconds after which an obligation is given up.  Raises what the prover raises.
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
