"""aiojobs: a job whose spawn() waited is started by close(), and left running."""

from ..finding import Finding

FINDING = Finding(
    "aiojobs_late",
    library="aiojobs",
    versions=("1.4.0",),
    bug="close() starts a job whose spawn() waited for the queue, and leaves it running.",
    rule="GROUP-7",
    control="0 run after close()",
    shows="1 run after close()",
)
