"""The parts of a script (script.py) that are the same in all scripts: the lines that it prints, the clock, the run."""

from pathlib import Path
from typing import Final

from .runtimes import IDLE_TURNS
from .tables import texts

#: The parts, by their names here.
PARTS: Final = texts(Path(__file__).with_suffix(".txt"))
PRELUDE, CLOCK, REPORTS, OUTSIDE, RUN, END = (
    f"\n{PARTS[name]}" for name in ("PRELUDE", "CLOCK", "REPORTS", "OUTSIDE", "RUN", "END")
)
BARE, GREW, AGEN, AMBIENT = (f"\n\n{PARTS[name]}" for name in ("BARE", "GREW", "AGEN", "AMBIENT"))
TURNS: Final = "\n" + PARTS["TURNS"].format(turns=IDLE_TURNS)
#: By the words of `how`: the statements before main, or before each body.
HOW: Final = {
    "eager": "loop.set_task_factory({eager})\n",
    "debug": "loop.set_debug(True)\n",
    # `run` has no loop_factory before 3.12.
    "outside": "\n\ndef this_loop():\n    return loop\n\n\nasyncio.events.new_event_loop = this_loop\n",
}
