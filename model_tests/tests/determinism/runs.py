"""Run the programs of this folder in a process with hashes, addresses and moments of garbage collection of its own.

    PYTHONHASHSEED=1 python -m model_tests.tests.determinism.runs JUNK THRESHOLD forwards|backwards FILE...

prints a line of JSON for each program of the files and each order: its name, the order, the digest, the token and the
outcome.  JUNK is the number of objects that are allocated before, THRESHOLD that of the garbage collector.  If standard
input has lines `NAME ORDER TOKEN`, the runs of these tokens are repeated instead.
"""

import gc
import json
import logging
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final, TypeAlias

from impl import DeadlockError
from impl.bridges.asyncio.run import simulate
from impl.runners.simulate import Run
from impl.sim.order import Order
from impl.sim.token import TokenError

from . import Program, Programs

#: Any: see __init__.py.
AnyRun: TypeAlias = Run[Any]

#: The files of programs; the first imports no library.
FILES: Final = ("values", "network", "on_trio", "refused")
ORDERS: Final[tuple[Order, ...]] = ("fifo", "any")
SEED: Final = 5


def programs(files: list[str]) -> dict[str, tuple[Program, str]]:
    """The programs of the files, with the file of each, by name."""
    found: dict[str, tuple[Program, str]] = {}
    for file in files:
        defined: Programs = import_module(f".{file}", __package__).program
        assert not defined.keys() & found.keys(), "two programs have one name"
        found.update({name: (program, file) for name, program in defined.items()})
    return found


def run(program: Program, file: str, order: Order, token: str | None = None) -> AnyRun:
    if file != "on_trio":
        return simulate(program, seed=SEED, order=order, token=token)
    from impl.bridges.trio.run import simulate_trio  # here, because the other files need no trio

    return simulate_trio(program, seed=SEED, order=order, token=token)


def outcome(run: AnyRun) -> str:
    """The result of a run, or its error, as text."""
    error = run.error
    if error is None:
        return repr(run.result)
    text = str(error)
    # The places are relative to the current directory, and objects have addresses.
    if isinstance(error, DeadlockError):
        text = "\n".join(line.partition(" for ")[0] for line in text.splitlines())
    return f"{type(error).__name__}: {text}"


def junk(count: int) -> list[object]:
    """Objects of many sizes; every third is freed again, so that later ones get other addresses."""
    made = [object() if number % 5 else bytearray(number % 700) for number in range(count)]
    del made[::3]
    return made


def lines(every: dict[str, tuple[Program, str]], given: str) -> Iterator[dict[str, str]]:
    for line in given.splitlines():
        name, order, token = line.rsplit(maxsplit=2)
        try:
            ran = run(*every[name], "any" if order == "any" else "fifo", token)
        except TokenError as error:
            yield {"name": name, "order": order, "refused": str(error)}
        else:
            yield {"name": name, "order": order, "outcome": outcome(ran)}
    for name in () if given else every:
        for each in ORDERS:
            ran = run(*every[name], each)
            line_of = {"name": name, "order": each, "digest": ran.digest, "token": ran.token}
            yield {**line_of, "outcome": outcome(ran)}


def main(count: int, threshold: int, backwards: bool, files: list[str]) -> None:
    logging.disable(logging.CRITICAL)
    # Some vectors make one that is refused, or cancelled before it begins.
    warnings.filterwarnings("ignore", "coroutine 'LoopProgram.body' was never awaited")
    kept = junk(count)
    gc.set_threshold(threshold)
    every = programs(files)
    for line in lines(dict(reversed(every.items())) if backwards else every, sys.stdin.read()):
        kept += junk(count % 97)
        print(json.dumps(line))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "backwards", sys.argv[4:] or list(FILES))
