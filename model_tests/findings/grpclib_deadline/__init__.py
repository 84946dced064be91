"""grpclib: a call that ends at its deadline leaves a request to cancel in the task of its caller."""

from ..finding import Finding

FINDING = Finding(
    "grpclib_deadline",
    library="grpclib",
    versions=("0.4.9",),
    bug="A call that ends at its deadline leaves cancelling() of its caller at 1: an enclosing timeout raises "
    "CancelledError afterwards.",
    rule="TIMEOUT-8",
    control="TimeoutError",
    shows="CancelledError",
)
