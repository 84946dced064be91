"""The names of the marker and of the options of the pytest plugin, which must cost nothing to import."""

from typing import Final

MARKER: Final = "explore"
EXPLORE: Final = "--explore"
REPLAY: Final = "--explore-replay"
TOKEN: Final = "--explore-token"
RUNS: Final = "--explore-runs"
PICTURES: Final = "--explore-pictures"
REFUSED: Final = "--explore-refused"
OUTSIDE: Final = "--explore-outside"

# The verdicts of an explored test.
PASSES: Final = "passes"
#: It fails under an order that asyncio does not take, and never first in, first out.
ORDER: Final = "order only"
#: It needs a late timer, a timeout that expires early, or a slow network.
TIMING: Final = "timing"
#: It needs a cancel, a timeout or a fault that its marker asks for.
REQUESTED: Final = "requested injection"
OWN_ORDER: Final = "fails in asyncio's own order"
#: The run of a token that is given fails; it is not judged.
FAILS: Final = "fails"
#: A probe `sometimes` held in no run.
NEVER: Final = "a probe never held"
NOT_EXPLORED: Final = "not explored"
VERDICTS: Final = (PASSES, ORDER, TIMING, REQUESTED, OWN_ORDER, FAILS, NEVER)
