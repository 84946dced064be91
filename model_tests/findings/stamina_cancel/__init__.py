"""stamina: a retry with a hook takes a cancel of its caller for an error, and goes on."""

from ..finding import Finding

FINDING = Finding(
    "stamina_cancel",
    library="stamina",
    versions=("26.1.0",),
    bug="A retry with a backoff hook asks the hook about CancelledError, too: one that names what not to "
    "retry swallows the cancel.",
    rule="CANCEL-2",
    control="cancelled",
    shows="goes on",
)
