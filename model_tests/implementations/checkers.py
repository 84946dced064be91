"""Checkers: the columns of the table that take any implementation, as `loopspec conform` does.

Each returns the rule of its first finding, or NOTHING.  A cell that begins with NOT_ASKED says why there is none.
"""

import json
import os
import signal
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from impl import CancelledError
from impl.errors import InternalError
from spec.kit.monitor import Rejected

from ..conformance.cases.sources import catalogue
from ..conformance.child import LONG_SECONDS, limit
from ..conformance.kit import Kit, report_of
from ..conformance.loops.garbage import left_behind
from ..conformance.loops.runtimes import kind_of
from ..conformance.subjects.subject import SubjectError, SubjectNames, brought, load
from ..refinement.subjects import ASYNCIO, Subject, subject_of
from .checks.monitor import attempts, quiet
from .mutant import Mutant
from .remembering import Remembering

NOTHING: Final = "-"
NOT_ASKED: Final = "not asked: "
#: The status of a fork that met an error of its own.
INTERNAL: Final = 70
#: Seconds after which a run that the monitor follows is taken to wait for ever.
WALL: Final = 120


def kit(process: Remembering, documented: bool = False) -> str:
    """The whole kit."""
    report = report_of(process.afresh(), documented=documented)
    found = [finding.rule for finding in report.findings]
    return next(iter([*found, *(rule for failure in report.machines for rule in failure.rules)]), NOTHING)


def documented(process: Remembering) -> str:
    """The whole kit, with the rules that are documented only."""
    return kit(process, True)


def facts(process: Remembering) -> str:
    """The facts."""
    with left_behind():
        kit = Kit(process, (), False)
        if not process.asyncios or process.timeless:
            return f"{NOT_ASKED}facts are of asyncio's loop"
        kit.facts()
        return next((finding.rule for finding in kit.untrue), NOTHING)


def programs(process: Remembering) -> str:
    """The vectors."""
    with left_behind():
        kit = Kit(process, (), False)
        kit.play(catalogue())
        return next((failed.judgement.rule for failed in kit.causes.broken.values()), NOTHING)


def machines(process: Remembering) -> str:
    """The state machines of tasks, futures and queues."""
    with left_behind():
        kit = Kit(process, (), False)
        found = [rule for failure in kit.machines() for rule in failure.rules or ("an error",)]
        return next(iter(found), NOTHING)


class Stock(Mutant):
    """A subject as a mutant, for the drivers of mutants."""

    def subject(self) -> Subject:
        names = SubjectNames(self.wrong)
        return subject_of("subject", names, lambda: kind_of(self.wrong).runtime(self.wrong).loop, ASYNCIO.deviations)


def monitor(process: Remembering) -> str:
    """The monitor of each specification, on directed runs."""
    module = load(process.subject)
    stocks = (Stock(module, "", "", name) for name in brought(module))
    return next(filter(None, (alone(partial(rejected, stock)) for stock in stocks)), NOTHING)


def rejected(stock: Stock) -> str:
    """Return the rule that the first rejected run breaks, or ""."""
    for attempt in attempts(stock):
        try:
            with quiet():
                attempt.run()
        except Rejected as no:
            return next(iter(no.rules), "no rule")
        except (Exception, CancelledError):
            return "an error"
    return ""


def alone(work: Callable[[], str]) -> str:
    """Return the finding of a fork of this process; the code under test may end it, or not return.

    Raises:
        InternalError: the work itself failed: that is no finding.
    """
    read, write = os.pipe()
    if not (child := os.fork()):
        try:
            limit(LONG_SECONDS)
            signal.alarm(WALL)
            os.write(write, json.dumps(work()).encode())
        except Exception:
            traceback.print_exc()
            os._exit(INTERNAL)
        finally:
            os._exit(0)
    os.close(write)
    with open(read, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.waitstatus_to_exitcode(status) == INTERNAL:
        raise InternalError("a checker failed in its fork")
    return str(json.loads(said)) if said else "does not return"


def cells(columns: Sequence[str], subject: str) -> dict[str, str]:
    """Return the cells of these columns for a subject, which plays each program once."""
    try:
        with Remembering(subject) as process:
            return {column: CHECKERS[column](process) for column in columns}
    except SubjectError as error:
        # The folder of a text's module is a temporary one, which differs from run to run.
        why = str(error).replace(f"{Path(subject).parent}{os.sep}", "")
        return dict.fromkeys(columns, f"{NOT_ASKED}{why}")


CHECKERS: Final[dict[str, Callable[[Remembering], str]]] = {
    "kit": kit,
    "documented": documented,
    "machines": machines,
    "monitor": monitor,
    "facts": facts,
    "programs": programs,
}
