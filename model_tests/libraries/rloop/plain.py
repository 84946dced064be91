"""Cases of rloop: python plain.py [CASE...]"""

import asyncio
import subprocess
import sys
from typing import Any


def made(wrong: bool) -> Any:
    if not wrong:
        return asyncio.new_event_loop()
    import rloop

    return rloop.new_event_loop()


def exits(wrong: bool) -> None:
    """The main coroutine raises SystemExit; the process ends with status 3 if run_until_complete() raises it."""

    async def main() -> None:
        sys.exit(3)

    made(wrong).run_until_complete(main())


def exit(wrong: bool) -> str:
    """The main coroutine raises SystemExit, in another process, which may not end.  The loop should raise it."""
    line = [sys.executable, __file__, "exits", str(wrong)]
    try:
        ran = subprocess.run(line, capture_output=True, timeout=3, check=False)
    except subprocess.TimeoutExpired:
        return "does not return"
    return f"status {ran.returncode}"


def handler(wrong: bool) -> str:
    """A callback fails.  The exception handler of the loop should be called, with the loop and a context."""
    loop = made(wrong)
    seen: list[Any] = []
    loop.set_exception_handler(lambda loop, context: seen.append(context))
    loop.call_soon(lambda: 1 / 0)
    loop.call_later(0.1, loop.stop)
    loop.run_forever()
    loop.close()
    return f"called {len(seen)} times"


CASES = {"exit": exit, "handler": handler}


def outcome(case: str, wrong: bool) -> str:
    return CASES[case](wrong)


if __name__ == "__main__":
    if sys.argv[1:2] == ["exits"]:
        exits(sys.argv[2] == "True")
    for case in sys.argv[1:] or CASES:
        print("asyncio's loop:", outcome(case, False))
        print("rloop's loop:", outcome(case, True))
