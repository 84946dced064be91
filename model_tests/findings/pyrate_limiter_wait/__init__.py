"""pyrate-limiter: a caller that does not want to wait waits while another does."""

from ..finding import Finding

FINDING = Finding(
    "pyrate_limiter_wait",
    library="pyrate-limiter",
    versions=("4.5.1",),
    bug="try_acquire_async(blocking=False), and one with timeout=0, waits as long as another caller "
    "waits for a permit.",
    rule="LOCK-16",
    control="answered at once",
    shows="waits",
)
