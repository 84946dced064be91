"""Programs of documents that take seconds to run: `make guides-check` runs them, and so does the long form."""

import re
from typing import Final

import pytest

from ..dev.tutorial import Block

LONG: Final = pytest.mark.long("`make guides-check` runs it")
#: The commands that take more than a second, and those of a kind that the test of a command runs, too.
SECONDS: Final = re.compile(
    r"^\$ (.*/)?(loopspec (check (queue|mine\.py)|conform|explain|ladder|prove|simulate|.* --confirm)"
    r"|pytest .* --explore)\b",
    re.MULTILINE,
)


def case(console: Block, *before: str) -> object:
    """Return the parameters `before` and this block, as a case that is long if a command of it is."""
    marks = [LONG] if SECONDS.search(console.text) else []
    return pytest.param(*before, console, marks=marks, id=" ".join((*before, console.text.partition("\n")[0])))
