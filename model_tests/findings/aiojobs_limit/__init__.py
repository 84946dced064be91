"""aiojobs: close() of a pending job starts another one beyond the limit."""

from ..finding import Finding

FINDING = Finding(
    "aiojobs_limit",
    library="aiojobs",
    versions=("1.4.0",),
    bug="close() of a pending job starts another pending job beyond the limit.",
    rule="LOCK-6",
    control="1 at once",
    shows="2 at once",
)
