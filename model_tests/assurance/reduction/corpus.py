"""Seeds of programs that tell a wrong reduction from the right one; the gate runs the wrong variants over them.

They were found by running the variants over some thousand programs: `python -m model_tests.assurance.reduction` with
`--published` or `--bold`.
"""

from __future__ import annotations

from typing import Final

#: Conditional programs about which the published algorithm, which is not strict, is wrong.
PUBLISHED_IS_WRONG: Final = (33, 678, 990, 1042, 1710, 2581)
#: Likewise, with more schedules.
PUBLISHED_IS_WRONG_LARGE: Final = (1069, 1532, 1965)

#: State programs about which a rewriter is wrong that takes the unknown for independent.
BOLD_IS_WRONG: Final = (36, 61, 76, 131)
