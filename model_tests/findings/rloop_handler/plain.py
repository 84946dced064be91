"""A callback fails on a loop with an exception handler.  The handler should be called, with the loop and a context."""

import asyncio
from typing import Any


def outcome(wrong: bool) -> str:
    if wrong:
        import rloop

        loop: Any = rloop.new_event_loop()
    else:
        loop = asyncio.new_event_loop()
    seen: list[Any] = []
    loop.set_exception_handler(lambda loop, context: seen.append(context))
    loop.call_soon(lambda: 1 / 0)
    loop.call_later(0.1, loop.stop)
    loop.run_forever()
    loop.close()
    return f"called {len(seen)} times"


if __name__ == "__main__":
    print("asyncio's loop:", outcome(False))
    print("rloop's loop:", outcome(True))
