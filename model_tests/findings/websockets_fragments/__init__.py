"""websockets: after a fragmented send was cancelled, the connection is open, and no message can be sent any more."""

from ..finding import Finding

FINDING = Finding(
    "websockets_fragments",
    library="websockets",
    versions=("17.4",),
    bug="A send() of an asynchronous iterator that is cancelled does not close the connection, as documented: it stays "
    "open, and each later send() raises ProtocolError.",
    rule="LOCK-14",
    control="ConnectionClosed",
    shows="ProtocolError, and the connection is open",
    cancel="send",
    failure="ProtocolError: expected a continuation frame",
)
