"""Every wrong implementation states its defect; tests/mutants/test_table.py has the checks that catch it."""

from __future__ import annotations

import re

from ...mutants.implementations import WRONG
from ...subjects.tables import texts

#: Its name, the rules that it breaks, and the cause.
HEAD = re.compile(r"\w+, [A-Z]+-\d+( [A-Z]+-\d+)*: .+")


def test_every_text_says_what_is_wrong_and_what_it_breaks() -> None:
    names = []
    for path in sorted(WRONG.glob("*/*.txt")):
        for head, text in texts(path).items():
            names.append(head.partition(",")[0])
            assert HEAD.fullmatch(head), head
            assert re.search(r"^    # breaks\b", text, re.M), names[-1]
    assert len(names) == len(set(names)) > 800
