"""The child process: it plays programs on a subject; requests and answers are lines of JSON.

A subject may do anything: loop without an await, fill the memory, end the process.  So it runs in a process of its
own.  A program that takes more than a little processor time ends the process (SIGVTALRM, default action: a subject that
catches every exception cannot catch that), and the parent has it played again, now *counted*: it is traced, and ended
by a number of trace events, which is the same on each machine; the answer names the code that does not yield.  What
makes no trace events, such as a loop in C, is ended by a limit on processor time.

    in    {"subject": ..., "path": [...]}     first, once
          {"program": ..., "counted": ...}    play it; {"fact": ...} is a program, too; "apart": served.py
          {"machine": ..., "examples": n}     run a state machine
    out   {"brings": [...], "own": [...], "timeless": ..., "of_impl": ..., "surface": ...} or {"error": "..."}
          {"lines": [...], "mistakes": [...]}
          {"ends": "..."}                     why a counted program is ended; the process ends
          {"failure": null} or {"failure": "..."}
          {"internal": "..."}                 an error that is not the subject's: a traceback; the process ends
"""

from __future__ import annotations

import gc
import json
import logging
import os
import resource
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any

#: Requests and answers are JSON.
Json = Any

#: Seconds of processor time for a program, and the number of events of one that is counted.
PROGRAM_SECONDS = 0.3
EVENTS_MAX = 1_000_000
#: Seconds of processor time for one machine; for the import, and for a counted program that makes no events.
LONG_SECONDS = 60.0
LOAD_SECONDS = 30.0  # a whole project may be imported
COUNTED_SECONDS = 5.0
#: Bytes of data.
MEMORY = 4 << 30


def main() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    quiet = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # what a subject prints is discarded
        os.dup2(quiet, stream)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    logging.disable()

    def answer(what: dict[str, Json]) -> None:
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    try:
        answer_all(answer)
    except BaseException as error:
        answer({"internal": "".join(traceback.format_exception(error))})
    answers.close()
    os._exit(0)  # do not wait for the subject's threads or finalizers


def answer_all(answer: Callable[[dict[str, Json]], None]) -> None:
    """Load the subject of the first request, and answer the others."""
    request = json.loads(sys.stdin.readline())
    sys.path[:] = request["path"]
    from .served import Served  # after the path is set, as this imports modules too

    limit(LOAD_SECONDS)
    served = Served.of(request["subject"])
    gc.freeze()  # programs collect garbage: skip what exists already
    answer(served.greeting())
    for line in sys.stdin:
        request = json.loads(line)
        counted = request.get("counted", False)
        limit(COUNTED_SECONDS if counted else LONG_SECONDS if "machine" in request else PROGRAM_SECONDS)
        if counted:
            sys.settrace(Counter(answer).event)
        said = served.serve(request)
        sys.settrace(None)
        limit(0)
        answer(said)


def limit(seconds: float) -> None:
    """End the process after this much processor time; 0 removes the limit."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


class Counter:
    """A trace function that ends the process after EVENTS_MAX events.

    A loop on one line has no events of lines in CPython 3.11, but of opcodes.
    """

    def __init__(self, answer: Callable[[dict[str, Json]], None]) -> None:
        self.left, self.answer = EVENTS_MAX, answer
        self.turned = 0  #: the number of events that were left when asyncio's loop began its last turn

    def event(
        self, frame: FrameType, what: str, value: object
    ) -> Any:  # Any: a trace function returns itself
        frame.f_trace_opcodes = True
        self.left -= 1
        if what == "call" and frame.f_code.co_name == "_run_once":
            self.turned = self.left
        if not self.left:
            sys.settrace(None)
            from .normal import HANGS  # as above

            if self.turned > EVENTS_MAX // 2:  # one turn takes most of the events
                self.answer({"ends": f"{HANGS}{spinning(frame)}"})
            os.kill(os.getpid(), signal.SIGVTALRM)
        return self.event


def spinning(frame: FrameType | None) -> str:
    """Return " in NAME()": what the loop, or the program, has called of the subject; "" if that is asyncio's code."""
    from .seen import FOLDERS

    name = ""
    while frame and not frame.f_code.co_filename.startswith(FOLDERS[2]):
        if not frame.f_code.co_filename.startswith(FOLDERS):
            name = f" in {frame.f_code.co_qualname}()"
        frame = frame.f_back
    return name


if __name__ == "__main__":
    main()
