"""The names of the marker and of the options of the pytest plugin, which must cost nothing to import."""

from typing import Final

MARKER: Final = "explore"
REPLAY: Final = "--explore-replay"
RUNS: Final = "--explore-runs"
HTML: Final = "--explore-html"
REFUSED: Final = "--explore-refused"
