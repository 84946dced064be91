"""The main coroutine raises SystemExit.  run_until_complete() should raise it."""

import asyncio
import subprocess
import sys
from typing import Any


def exits(wrong: bool) -> None:
    """Run it; the process ends with status 3 if the error is raised."""
    if wrong:
        import rloop

        loop: Any = rloop.new_event_loop()
    else:
        loop = asyncio.new_event_loop()

    async def main() -> None:
        sys.exit(3)

    loop.run_until_complete(main())


def outcome(wrong: bool) -> str:
    """Run it in another process, which may not end."""
    try:
        ran = subprocess.run(
            [sys.executable, __file__, str(wrong)], capture_output=True, timeout=3, check=False
        )
    except subprocess.TimeoutExpired:
        return "does not return"
    return f"status {ran.returncode}"


if __name__ == "__main__":
    if sys.argv[1:]:
        exits(sys.argv[1] == "True")
    print("asyncio's loop:", outcome(False))
    print("rloop's loop:", outcome(True))
