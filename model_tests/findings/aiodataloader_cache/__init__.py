"""aiodataloader: a reader that is cancelled takes the others of its key with it, and the key stays cancelled."""

from ..finding import Finding

FINDING = Finding(
    "aiodataloader_cache",
    library="aiodataloader",
    versions=("0.4.3",),
    bug="A reader that is cancelled cancels the future that the loader keeps for its key: other readers of the "
    "key, and all later ones, get CancelledError.",
    rule="CANCEL-7",
    control="the other: a value; a later one: a value",
    shows="the other: cancelled; a later one: cancelled",
)
