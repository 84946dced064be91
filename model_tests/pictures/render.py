"""`loopspec render`, with the rules that all commands have for the files that they write (impl/outputs.py)."""

from __future__ import annotations

from collections.abc import Sequence

from impl.outputs import OutputFile
from spec.commands import render


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    return render.main(argv, OutputFile())
