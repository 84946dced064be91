"""The parts of a script (script.py) that are the same in all scripts: the lines that it prints, the clock, the run."""

from __future__ import annotations

from typing import Final

from .runtimes import IDLE_TURNS

PRELUDE: Final = '''
def note(actor, what, outcome=""):
    print(f"{actor}: {what}" + (f" -> {outcome}" if outcome else ""), flush=True)


@contextlib.contextmanager
def noted(actor, what):
    got = []
    try:
        yield got
    except BaseException as error:
        note(actor, what, "raised " + show(error))
        raise
    note(actor, what, show(got[0]) if got else "")


def names():
    """The named things, in order of naming."""
    return {name: thing for name, thing in globals().items() if name in NAMES}


def show(value):
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    if isinstance(value, BaseException):
        kinds = (str, type(None)) if type(value).__name__ == "CancelledError" else (int, BaseException)
        args = [arg for arg in getattr(value, "exceptions", value.args) if isinstance(arg, kinds) and arg != ""]
        return f"{type(value).__name__}({', '.join(map(show, args))})"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(show, value))}]"
    if isinstance(value, (set, frozenset)):
        return "{%s}" % ", ".join(name for name, thing in names().items() if any(thing is x for x in value))
    return next((name for name, thing in names().items() if thing is value), "something")


def state(thing):
    if hasattr(thing, "add_done_callback"):
        if not thing.done() or thing.cancelled():
            return "cancelled" if thing.done() else "pending"
        error = thing.exception()
        return "gave " + show(thing.result()) if error is None else "raised " + show(error)
    looks = {looks}
    looks = [(name, getattr(thing, name)) for name in looks if hasattr(thing, name)]
    return " ".join(f"{name}={show(look() if callable(look) else look)}" for name, look in looks)
'''

BARE: Final = """

@types.coroutine
def bare(value):
    yield value
"""

GREW: Final = """

def grew(error, before=[float("inf")]):
    \"\"\"Whether its traceback has more entries than when this was asked before.\"\"\"
    before.append(len(traceback.extract_tb(error.__traceback__)))
    return before[-1] > before[-2]
"""

AGEN: Final = """

async def agen(closes):
    try:
        yield 1
    finally:
        await closes
"""

CLOCK: Final = """
class Clock(selectors.SelectSelector):
    \"\"\"Never waits: it moves the time, and stops the loop when that is to wait for ever, or to spin.\"\"\"

    now = turns = 0

    def select(self, timeout=None):
        self.turns += 1
        if timeout is None or self.turns > 2000:
            loop.stop()
        self.now += round(max(timeout or 0, 0) * 1_000_000_000)
        return []


clock = Clock()
loop = asyncio.SelectorEventLoop(clock)
loop.time = lambda: clock.now / 1_000_000_000
"""

TURNS: Final = f"""
def turn(left={IDLE_TURNS}):
    loop.call_soon(turn, left - 1) if left else loop.stop()


loop.call_soon(turn)
"""

#: By the words of `how`: the statements before main, or before each body.
HOW: Final = {
    "eager": "loop.set_task_factory({eager})\n",
    "debug": "loop.set_debug(True)\n",
    # `run` has no loop_factory before 3.12.
    "outside": "\n\ndef this_loop():\n    return loop\n\n\nasyncio.events.new_event_loop = this_loop\n",
}

AMBIENT: Final = """

ambient = contextvars.ContextVar("in", default="")


def note(actor, what, outcome=""):
    outcome += " in " + ambient.get() if actor != "handler" else ""
    print(f"{actor}: {what}" + (f" -> {outcome}" if outcome else ""), flush=True)


def within(body):
    async def runs():
        before = ambient.get()
        ambient.set(body.__name__.removeprefix("body_"))
        try:
            return await body()
        finally:
            ambient.set(before)
    return runs
"""

REPORTS: Final = """
loop.set_exception_handler(lambda loop, context: note("handler", "report", show(context.get("exception"))))
"""

OUTSIDE: Final = """
main = None
try:
    {main}()
except BaseException as error:
    note("end", "main", "raised " + show(error))
"""

RUN: Final = """
main = loop.create_task({main}())
{until}
while True:
    try:
        loop.run_forever()
        break
    except (KeyboardInterrupt, SystemExit) as error:
        if not error.args:  # Ctrl-C: the program's own have a number
            raise
        note("loop", "left", "raised " + show(error))
"""

END: Final = """
asyncio._set_running_loop(loop)  # a thing may ask for it
for name, thing in names().items():
    if name not in {unseen} and state(thing):
        note("end", name, state(thing))
os._exit(0)  # what still waits would complain
"""
