"""Play vectors on this Python's asyncio: `loopspec vectors --player "python play.py"`, on any Python from 3.6 on.

Each is played on a new loop in virtual time; one is skipped if this version lacks its names.
"""

import json
import logging
import os
import sys
import warnings
from typing import Any, Dict, List

try:
    from .player import Player
    from .runtime import Runtime
except ImportError:  # run as a script, with the two modules beside it
    from player import Player  # type: ignore[import-not-found, no-redef]  # found beside it
    from runtime import Runtime  # type: ignore[import-not-found, no-redef]  # as above

# `Any` in this file: JSON, and the lines of the players.


def play(vectors: List[Dict[str, Any]], version: Any = sys.version_info, make: Any = Runtime) -> Dict[str, Any]:
    """Return the lines of each vector by its name; None for those that need a later version.  `make()` makes a
    runtime.
    """
    seen = {}  # type: Dict[str, Any]
    disabled = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # old versions emit warnings that later ones do not
            for vector in vectors:
                later = tuple(map(int, vector["since"].split("."))) > tuple(version[:2])
                seen[vector["name"]] = None if later else shown(vector["program"], make)
    finally:
        logging.disable(disabled)
    return seen


def shown(program: Dict[str, Any], make: Any) -> List[Any]:
    """Return the lines of a program; one line with the error if the runtime itself raised."""
    try:
        return list(Player(program, make()).play())
    except Exception as error:  # any error: the other vectors are still played
        return [[0, "end", "player", "raised " + repr(error)]]


def main() -> None:
    """Answer programs from standard input with their lines, as FORMAT.md describes it, until the input ends."""
    Player.steps = True
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever prints must not stand between the answers
    hello = {"format": 1, "python": "{}.{}".format(*sys.version_info[:2])}
    print(json.dumps(hello), file=answers, flush=True)
    for line in sys.stdin:
        seen = play([dict(json.loads(line), name="", since="3.6")])
        print(json.dumps({"lines": seen[""]}), file=answers, flush=True)


if __name__ == "__main__":
    main()
