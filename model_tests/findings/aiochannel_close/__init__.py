"""aiochannel: close() raises InvalidStateError when it is called again after a putter waited."""

from ..finding import Finding

FINDING = Finding(
    "aiochannel_close",
    library="aiochannel",
    versions=("1.4.1",),
    bug="close() raises InvalidStateError when it is called again after a task waited in put().",
    rule="QUEUE-32",
    control="closed",
    shows="InvalidStateError",
)
