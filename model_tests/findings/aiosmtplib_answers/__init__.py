"""aiosmtplib: the answer to a command that was cancelled is taken for that to the next command."""

from ..finding import Finding

FINDING = Finding(
    "aiosmtplib_answers",
    library="aiosmtplib",
    versions=("5.1.3",),
    bug="After a command that was cancelled the next command gets its answer, and each later one the "
    "answer to the one before.",
    rule="QUEUE-1",
    control="the answer to EXPN",
    shows="the answer to VRFY",
)
