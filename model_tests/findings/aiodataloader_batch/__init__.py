"""aiodataloader: the readers of a batch wait forever if the function that loads it ends with CancelledError."""

from ..finding import Finding

FINDING = Finding(
    "aiodataloader_batch",
    library="aiodataloader",
    versions=("0.4.3",),
    bug="The readers of a batch wait forever if the function that loads it ends with CancelledError, as one that uses "
    "a second loader does when a reader of that is cancelled.",
    rule="FUT-18",
    control="the post: shown",
    shows="the post: waits",
)
