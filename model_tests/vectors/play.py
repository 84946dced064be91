"""Play a file of vectors on this Python's asyncio: `python play.py vectors.json`, on any Python from 3.6 on.

A vector is skipped if this version lacks its names.  The others are each played on a new loop in virtual time, and
must show the lines that the file expects.  Each difference is printed, with the first line that differs.  Exit status:
0 if nothing differs, 1 if something does, 2 if there is no such file of vectors.
"""

import json
import logging
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


def play(
    vectors: List[Dict[str, Any]], version: Any = sys.version_info, make: Any = Runtime
) -> Dict[str, Any]:
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


def main(path: str) -> int:
    """Play a file and print what differs; return the exit status."""
    try:
        with open(path, encoding="utf-8") as file:
            told = json.load(file)
    except (OSError, ValueError) as error:
        print("play.py: {}: {}".format(path, error), file=sys.stderr)
        return 2
    if told.get("format") != 1:
        print("play.py: {}: its format is not 1".format(path), file=sys.stderr)
        return 2
    seen = play(told["vectors"])
    differ = 0
    for vector in told["vectors"]:
        got, expected = seen[vector["name"]], vector["expected"]
        if got is not None and got != expected:
            differ += 1
            print("{}: {}".format(" ".join(vector["rules"]), vector["name"]))
            n = next(n for n in range(len(got) + 1) if got[n : n + 1] != expected[n : n + 1])
            print("    expected", *(expected[n : n + 1] or ["nothing more"]))
            print("    seen    ", *(got[n : n + 1] or ["nothing more"]))
    skipped = sum(1 for got in seen.values() if got is None)
    played = len(seen) - skipped
    text = "Python {}: {} vectors played, {} differ, {} skipped (names that this version lacks)"
    print(text.format("{}.{}.{}".format(*sys.version_info[:3]), played, differ, skipped))
    return 1 if differ else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print("usage: python play.py VECTORS.json", file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[1]))
