"""`loopspec vectors`: the catalogue as JSON for any language (FORMAT.md), and verdicts on players of other languages.

Every program of the catalogue is played on `impl`, and its output is the expected output for other runtimes.  The
outcomes that the rules allow take minutes to find: those of a program that is in programs/vectors/vectors.json are
taken from there, unless `--search` is given.  The same catalogue and the same reference give the same bytes.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

from impl.commands.options import Parser, UsageError, seconds, write_output
from impl.commands.outputs import OutputFile

from ...programs.runtimes import observe
from ...programs.vectors.catalogue import CATALOGUE
from ...programs.vectors.vector import FILE, Vector
from .needs import needs
from .session import SECONDS, PlayerError, Session

# `Any` in this file: JSON.

#: The version of FORMAT.md: with another number, old players cannot read the file.
FORMAT: Final = 1


def lines(catalogue: Sequence[Vector] = CATALOGUE, search: bool = False) -> Iterator[str]:
    """Yield the lines of the file, one vector a line; `search` finds all outcomes again."""
    known = {} if search else {json.dumps(told["program"]): told for told in stored()}
    yield f'{{"format": {FORMAT}, "vectors": ['
    for number, vector in enumerate(catalogue, 1):
        made = row(vector, known.get(json.dumps(vector.program), {}))
        yield json.dumps(made, ensure_ascii=True) + ("," if number < len(catalogue) else "")
    yield "]}"


def stored() -> list[dict[str, Any]]:
    """Return the vectors of the file in the repository."""
    found: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]
    return found


def row(vector: Vector, known: dict[str, Any]) -> dict[str, Any]:
    """Return a vector as FORMAT.md describes it, with the outcomes of a `known` row if nothing else has changed."""
    told: dict[str, Any] = {
        "name": vector.name,
        "rules": list(vector.rules),
        "since": "{}.{}".format(*vector.since),
        "needs": needs(vector.program, vector.rules),
        "program": vector.program,
        "expected": observe(vector.program, "impl"),
    }
    if "outcomes" in known and all(known[key] == told[key] for key in ("rules", "expected")):
        return {**told, **{key: known[key] for key in ("free", "more", "outcomes")}}
    from .outcomes import outcomes  # only here: it loads the kit

    return {**told, **outcomes(vector, told["expected"])}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (None: those of the process); return the exit status."""
    parser = Parser(
        "loopspec vectors",
        "Write small asynchronous programs and what must be seen of them as JSON, or play them on a player.",
    )
    parser.add_argument(
        "--json", metavar="FILE", type=OutputFile(), help="write them as JSON (default: to standard output)"
    )
    parser.add_argument("--search", action="store_true", help="find all allowed outcomes again: minutes")
    parser.add_argument(
        "--player", metavar="COMMAND", help="start a player in any language, and judge it by the vectors"
    )
    parser.add_argument(
        "--timeout",
        metavar="S",
        type=seconds,
        default=SECONDS,
        help=f"seconds that the player may take for a program ({SECONDS})",
    )
    parser.exclude("player", ("json", "search"), "--player writes no vectors")
    try:
        options = parser.parse_args(argv)
        if options.player is not None:
            return judge(options.player, options.timeout)
        text = "".join(line + "\n" for line in lines(search=options.search))
        if options.json is None:
            print(text, end="")
        else:
            write_output("--json", options.json, text)
    except (UsageError, PlayerError) as error:
        print(f"loopspec vectors: {error}", file=sys.stderr)
        return 2
    return 0


def judge(command: str, timeout: float) -> int:
    """Judge a player, and print a row for each rule; return the exit status.

    Raises:
        PlayerError: the player does not keep to the protocol.
    """
    from .verdicts import verdict  # only here: it loads the kit

    try:
        with Session(command, timeout) as session:
            found = verdict(session, zip(CATALOGUE, stored(), strict=True))
    except PlayerError as error:
        raise PlayerError(f"the player: {error}") from None
    print("\n".join(found.lines()))
    return 1 if found.broken else 0


if __name__ == "__main__":
    sys.exit(main())
