"""aiotools: a cancel that a ShieldScope has held back is delivered twice."""

from ..finding import Finding

FINDING = Finding(
    "aiotools_shield",
    library="aiotools",
    versions=("2.2.4",),
    bug="A cancel that a shielding scope has held back is delivered twice.",
    rule="CANCEL-11",
    control="cancelled, cleaned up",
    shows="cancelled, cancelled",
    known="in part: https://github.com/achimnol/aiotools/pull/90 names a symptom up to Python 3.12",
)
