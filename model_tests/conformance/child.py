"""The process that plays programs on a subject: it reads them as lines of JSON, and writes what is seen.

Theory of operation.  A subject may do anything: spin without ever giving up its turn, fill the memory, leave.  So it
lives in a process of its own, which dies of a limit on its own processor time (SIGVTALRM, default action: a subject
that catches everything cannot catch that) and never of a slow machine.  Whoever asks sees which program it died of.

    in    {"subject": ..., "path": [...]}     first, once
          {"program": ...}                    play it
          {"machine": ..., "examples": n}     run a state machine
    out   {"brings": [...], "own": [...], "timeless": ...} or {"error": "..."}
          {"lines": [...]}
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

# `Any` in this file: what comes and goes is JSON.

#: Seconds of processor time for one program, and for one machine.
PROGRAM_SECONDS = 0.5
MACHINE_SECONDS = 10.0
#: Bytes of data.
MEMORY = 4 << 30


def main() -> None:
    """Serve until the input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    quiet = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # what a subject prints is not for us
        os.dup2(quiet, stream)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    logging.disable()

    def answer(what: dict[str, Any]) -> None:
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    request = json.loads(sys.stdin.readline())
    sys.path[:] = request["path"]
    from .served import Served  # after the path: it imports what the subject may stand beside

    limit(MACHINE_SECONDS)
    served = Served.of(request["subject"])
    gc.freeze()  # programs collect garbage: what was there before them is not looked at each time
    answer(served.greeting())
    for line in sys.stdin:
        request = json.loads(line)
        limit(MACHINE_SECONDS if "machine" in request else PROGRAM_SECONDS)
        answer(served.serve(request))
        limit(0)
    answers.close()
    os._exit(0)  # whatever threads or finalizers the subject left


def limit(seconds: float) -> None:
    """Die after so much processor time; 0 lifts the limit."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


if __name__ == "__main__":
    main()
