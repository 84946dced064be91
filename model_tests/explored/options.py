"""The names of the marker and of the options of the pytest plugin, which must cost nothing to import."""

from typing import Final

MARKER: Final = "explore"
TOKEN: Final = "--explore-token"
RUNS: Final = "--explore-runs"
PICTURES: Final = "--explore-pictures"
REFUSED: Final = "--explore-refused"
