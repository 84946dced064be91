"""aiostream: leaving a streamer swallows a cancel that comes while its sources end."""

from ..finding import Finding

FINDING = Finding(
    "aiostream_close",
    library="aiostream",
    versions=("0.8.1",),
    bug="Leaving a streamer swallows a cancel that comes while its sources end.",
    rule="CANCEL-2",
    control="cancelled",
    shows="went on",
)
