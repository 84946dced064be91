"""`python -m impl crawl|simulate ...`: the crawls, from a checkout (installed: `loopspec crawl ...`)."""

from __future__ import annotations

import sys
from importlib import import_module

from .commands.options import discard_output, internal_error, is_of_output

PROGRAM = f"python -m {__package__}"
#: Each subcommand's module, within this package, which has the function `main`.
COMMANDS = {
    "crawl": ".crawl.commands.crawl",
    "simulate": ".crawl.commands.simulate",
}


def main(argv: list[str]) -> int:
    """Run the command that `argv` names; return the exit status."""
    name, *rest = argv or [""]
    if name not in COMMANDS:
        commands = "|".join(COMMANDS)
        print(f"usage: {PROGRAM} {commands} [options]; -h after a command lists them", file=sys.stderr)
        return 2
    try:
        status: int = import_module(COMMANDS[name], __package__).main(rest)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if not (isinstance(error, OSError) and is_of_output(error)):
            return internal_error(f"{PROGRAM} {name}", error)
        discard_output()
        print(f"{PROGRAM}: cannot write the output: {error.strerror}", file=sys.stderr)
        return 2
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
