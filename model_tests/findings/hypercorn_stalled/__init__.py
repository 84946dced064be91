"""hypercorn: shutdown never ends while a client does not read its response, whatever graceful_timeout says."""

from ..finding import Finding

FINDING = Finding(
    "hypercorn_stalled",
    library="hypercorn",
    versions=("0.18.0",),
    bug="Shutdown never ends while a client does not read its response: the cancel after graceful_timeout ends in a "
    "wait for the connection to close, which the unread bytes prevent.",
    rule="CANCEL-2",
    control="shutdown ends",
    shows="shutdown does not end",
    cancel="download",
    failure="AssertionError: shutdown does not end",
    known="https://github.com/pgjones/hypercorn/issues/308 is one of its two causes, since Python 3.12",
)
