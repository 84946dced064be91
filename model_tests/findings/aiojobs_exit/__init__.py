"""aiojobs: a scheduler whose owner is cancelled at the end of the block leaves its jobs running."""

from ..finding import Finding

FINDING = Finding(
    "aiojobs_exit",
    library="aiojobs",
    versions=("1.4.0",),
    bug="A scheduler whose owner is cancelled at the end of the block leaves its jobs running.",
    rule="GROUP-4",
    control="0 run",
    shows="1 run",
)
