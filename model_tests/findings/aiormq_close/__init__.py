"""aiormq: close() makes the calls of other tasks raise CancelledError."""

from ..finding import Finding

FINDING = Finding(
    "aiormq_close",
    library="aiormq",
    versions=("7.2.4",),
    bug="close() of a connection makes the calls that other tasks await raise CancelledError, though none "
    "is cancelled.",
    rule="CANCEL-9",
    control="an error of the connection",
    shows="CancelledError, though the task was not cancelled",
)
