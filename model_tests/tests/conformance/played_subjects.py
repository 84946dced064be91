"""Plays one program on each of many subjects, quickly: `python -m model_tests.tests.conformance.played_subjects`.

Theory of operation.  A subject takes asyncio's place in its process, so each needs its own; but all begin alike, and a
fork of one that has begun costs little.  In: a list of [file, program].  Out: a list of [what it brings, what is
its own, lines], in that order; lines are null where the subject did not return.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import warnings
from typing import Any

from ...conformance.served import Served

# `Any` in this file: programs and lines are JSON.
SECONDS = 2.0


def played(file: str, program: dict[str, Any]) -> list[Any] | None:
    """What comes of it in a process of its own."""
    reader, writer = os.pipe()
    if not os.fork():
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        served = Served.of(file)
        greeting = served.greeting()
        lines = served.serve({"program": program})["lines"]
        os.write(writer, json.dumps([greeting["brings"], greeting["own"], lines]).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        said = answer.read()
    os.wait()
    return json.loads(said) if said else None


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    json.dump([played(*each) for each in json.load(sys.stdin)], sys.stdout)
