"""cashews: a value that a transaction writes never expires if it has less than a second left at the commit."""

from ..finding import Finding

FINDING = Finding(
    "cashews_expiry",
    library="cashews",
    versions=("7.6.0",),
    bug="A value that a transaction writes never expires if it has less than a second left at the commit.",
    rule="TIMEOUT-1",
    control="expired",
    shows="kept",
)
