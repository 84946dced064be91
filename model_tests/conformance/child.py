"""The child process: it plays programs on a subject; requests and answers are lines of JSON.

A subject may do anything: loop without an await, fill the memory, end the process.  So it runs in a process of its
own.  A program that takes more than a little processor time ends the process (SIGVTALRM, default action: a subject that
catches every exception cannot catch that), and the parent has it played again, now *counted*: it is traced, and ended
by a number of trace events, which is the same on each machine; the answer names the code that does not yield.  Code
without trace events, such as a loop in C, is ended by a limit on processor time.  Windows has no such signal and no
limit of memory: a thread ends the process there.

    in    {"subject": ..., "path": [...]}     first, once
          {"program": ..., "counted": ...}    play it; {"fact": ...} is a program, too; "apart": child_work.py
          {"machine": ..., "examples": n}     run a state machine
    out   {"brings": [...], "own": [...], "timeless": ..., "of_impl": ..., "surface": ...} or {"error": "..."}
          {"lines": [...], "mistakes": [...]}
          {"ends": "..."}                     why a counted program is ended; the process ends
          {"failure": null} or {"failure": "..."}
          {"internal": "..."}                 an error that is not the subject's: a traceback; the process ends
"""

import _thread
import gc
import json
import logging
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from time import process_time, sleep
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
#: The exit status of a program that takes too much processor time, as `Popen.returncode`.
SLOW = 197
if sys.platform != "win32":
    SLOW = -signal.SIGVTALRM
#: Seconds between two looks of `Watch`.
LOOK = 0.05


def main() -> None:
    """Answer requests until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    quiet = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # the output of a subject is discarded
        os.dup2(quiet, stream)
    if sys.platform != "win32":
        import resource  # here, as it is not there on Windows

        with suppress(ValueError):  # the limit is lower already
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
    from .child_work import LoadedSubject  # after the path is set, as this imports modules too

    limit(LOAD_SECONDS)
    served = LoadedSubject.of(request["subject"])
    gc.freeze()  # programs collect garbage: skip the objects that exist already
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
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    else:
        WATCH.limit(seconds)


def end() -> None:
    """End the process as the limit does."""
    if sys.platform != "win32":
        os.kill(os.getpid(), signal.SIGVTALRM)
    os._exit(SLOW)


class Watch:
    """A thread that ends the process after an amount of processor time, where the system does not.

    Code that never lets other threads run is not ended; the parent kills the process then.
    """

    def __init__(self) -> None:
        self.until: float | None = None  #: the processor time of the process at which it ends
        self.runs = False

    def limit(self, seconds: float) -> None:
        """End the process after this much processor time from now; 0 removes the limit."""
        self.until = process_time() + seconds if seconds else None
        if not self.runs:
            self.runs = True
            _thread.start_new_thread(self.look, ())

    def look(self) -> None:
        """Look at the processor time again and again."""
        while True:
            sleep(LOOK)
            if (until := self.until) is not None and process_time() > until:
                end()


WATCH = Watch()


class Counter:
    """A trace function that ends the process after EVENTS_MAX events.

    A loop on one line has no events of lines in CPython 3.11, but of opcodes.
    """

    def __init__(self, answer: Callable[[dict[str, Json]], None]) -> None:
        self.left, self.answer = EVENTS_MAX, answer
        self.turned = 0  #: the number of events that were left when asyncio's loop began its last turn

    def event(self, frame: FrameType, what: str, value: object) -> Any:  # Any: a trace function returns itself
        frame.f_trace_opcodes = True
        self.left -= 1
        if what == "call" and frame.f_code.co_name == "_run_once":
            self.turned = self.left
        if not self.left:
            sys.settrace(None)
            from .normal import HANGS  # as above

            if self.turned > EVENTS_MAX // 2:  # one turn takes most of the events
                self.answer({"ends": f"{HANGS}{spinning(frame)}"})
            end()
        return self.event


def spinning(frame: FrameType | None) -> str:
    """Return " in NAME()", the subject's function that the loop or the program has called; "" in asyncio's code."""
    from .child_player import FOLDERS

    name = ""
    while frame and not frame.f_code.co_filename.startswith(FOLDERS[2]):
        if not frame.f_code.co_filename.startswith(FOLDERS):
            name = f" in {frame.f_code.co_qualname}()"
        frame = frame.f_back
    return name


if __name__ == "__main__":
    main()
