"""cashews: a cached iterator gives items of an earlier pass that was not finished."""

from ..finding import Finding

FINDING = Finding(
    "cashews_iterator",
    library="cashews",
    versions=("7.6.0",),
    bug="A cached iterator gives items of an earlier pass that was not finished, after those of the last "
    "one.",
    rule="QUEUE-1",
    control="[1] is given again as [1]",
    shows="[1] is given again as [1, 2]",
)
