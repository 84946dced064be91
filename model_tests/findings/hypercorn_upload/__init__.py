"""hypercorn: a connection is never closed after a response to a request whose long body was not read."""

from ..finding import Finding

FINDING = Finding(
    "hypercorn_upload",
    library="hypercorn",
    versions=("0.18.0",),
    bug="An application that answers without reading a long body leaves its connection behind, also when the client "
    "has gone: the message that says so waits for a place in a full queue that nothing reads.",
    rule="QUEUE-32",
    control="the connection is closed",
    shows="the connection is kept for ever",
    cancel="store",
    failure="AssertionError: the connection is kept",
)
