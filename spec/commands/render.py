"""The document of `loopspec explain`: the specifications in mathematical notation, with links to the code.

`kit/render/document.py` makes the document; that of all specifications has the promises as well.  `kit/render/brief.py`
makes the short one, `spec/queue/README.md` for instance.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ..kit.render.brief import brief
from ..kit.render.document import document
from ..promises import PROMISES
from ..registry import REGISTRY
from .target import UsageError, chosen


def rendered(target: str | None, output: str | None, short: bool = False) -> str:
    """The document of the specifications that `target` names, or of all.

    Parameters:
        target: as in `chosen`.
        output: the file that it is written to, to which links are relative; None: it is printed.
        short: each rule is one item, without links to the code.

    Raises:
        UsageError: there is no such specification, the file has an error, or standard output cannot hold the signs.
        Untranslatable: a specification is outside of the subset.
    """
    instances, _ = chosen(target, REGISTRY)
    folder = Path.cwd() if output is None else Path(output).absolute().parent
    promises = PROMISES if target is None else ()
    text = brief(instances) if short else document(instances, folder, promises)
    if output is None:
        try:
            text.encode(sys.stdout.encoding or "utf-8")  # a StringIO has none
        except UnicodeEncodeError as error:
            raise UsageError(f"the output cannot hold the signs ({error.encoding}): use --output") from None
    return text
