"""rloop: an exception handler is called without the loop."""

from ..finding import Finding

FINDING = Finding(
    "rloop_handler",
    library="rloop",
    versions=("0.5.0",),
    bug="The exception handler is called without the loop.",
    rule="FUT-9",
    control="called 1 times",
    shows="called 0 times",
    subject="on_rloop.py",
)
