"""cashews: calls of a function in a transaction that run at once raise ValueError."""

from ..finding import Finding

FINDING = Finding(
    "cashews_decorator",
    library="cashews",
    versions=("7.6.0",),
    bug="Calls of a function under @cache.transaction() that run at once share the state of one "
    "transaction: a call raises ValueError after its commit.",
    rule="LOCK-9",
    control="paid, paid",
    shows="ValueError, paid",
)
