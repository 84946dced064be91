"""The child process: it plays programs on a subject; requests and answers are lines of JSON.

A subject may do anything: loop without an await, fill the memory, end the process.  So it runs in a process of its
own, which a limit on its own processor time ends (SIGVTALRM, default action: a subject that catches every exception
cannot catch that), whatever the speed of the machine.  The parent then knows which program was running.

    in    {"subject": ..., "path": [...]}     first, once
          {"program": ...}                    play it
          {"machine": ..., "examples": n}     run a state machine
    out   {"brings": [...], "own": [...], "timeless": ..., "surface": ...} or {"error": "..."}
          {"lines": [...], "mistakes": [...]}
          {"failure": null} or {"failure": "..."}
"""

from __future__ import annotations

import gc
import json
import logging
import os
import resource
import signal
import sys
import warnings
from typing import Any

#: Requests and answers are JSON.
Json = Any

#: Seconds of processor time for one program, and for one machine.
PROGRAM_SECONDS = 0.5
MACHINE_SECONDS = 10.0
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

    request = json.loads(sys.stdin.readline())
    sys.path[:] = request["path"]
    from .served import Served  # after the path is set, as this imports modules too

    limit(MACHINE_SECONDS)
    served = Served.of(request["subject"])
    gc.freeze()  # programs collect garbage: skip what exists already
    answer(served.greeting())
    for line in sys.stdin:
        request = json.loads(line)
        limit(MACHINE_SECONDS if "machine" in request else PROGRAM_SECONDS)
        answer(served.serve(request))
        limit(0)
    answers.close()
    os._exit(0)  # do not wait for the subject's threads or finalizers


def limit(seconds: float) -> None:
    """End the process after this much processor time; 0 removes the limit."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


if __name__ == "__main__":
    main()
