"""httpcore: a request over HTTP/2 that is cancelled leaves its stream open, and a later request fails."""

from ..finding import Finding

FINDING = Finding(
    "httpcore_http2",
    library="httpcore",
    versions=("1.0.9",),
    bug="A request over HTTP/2 that is cancelled gives its permit back and does not reset its stream: a later request "
    "fails with LocalProtocolError.",
    rule="LOCK-6",
    control="hello",
    shows="LocalProtocolError",
    cancel="fetch",
    failure="AssertionError: a request ends with LocalProtocolError",
    known="https://github.com/encode/httpcore/issues/1022",
)
