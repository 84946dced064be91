"""python-engineio: to give up wait() ends the connection's reader."""

from ..finding import Finding

FINDING = Finding(
    "engineio_wait",
    library="python-engineio",
    versions=("4.15.1",),
    bug="AsyncClient.wait() that is cancelled cancels the task that reads: the client seems connected, and receives "
    "nothing any more.",
    rule="SHIELD-1",
    control="the answer arrives",
    shows="no answer, and the client is connected",
    cancel="watch",
    failure="AssertionError: no answer, and the client is connected",
)
