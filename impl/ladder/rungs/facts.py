"""Teaching code: rung 7, what the other rungs rely on: a generator is a function that can stop, and go on later.

What it teaches: every function below does what one sentence of the text says about frames and generators, and returns
what it saw.  Nothing is fetched here.  What the text reads from CPython 3.4's bytecode (the offsets -1, 3 and 15, 56
bytes) differs from version to version; what it means by them does not, and is said here without numbers.
What changed against rung 5: nothing yet; but here is what it lacks, a function that waits in its middle and still
knows its variables and its place.  Rung 8 makes a Task of it.

Against the second text: `throw(StopIteration)` does not end a generator any more (its defect K10; PEP 479).

What `yield from` adds is in `channel.py`.

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "How Python Generators Work"; PEP 342.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from itertools import islice
from types import FrameType
from typing import Any


def a_frame_outlives_its_call() -> tuple[str, str]:
    """Frames are on the heap: when `bar` and `foo` have returned, bar's frame is still there, and knows its caller."""

    def foo() -> FrameType:
        return bar()

    def bar() -> FrameType:
        frame = inspect.currentframe()
        assert frame is not None
        return frame

    frame = foo()
    assert frame.f_back is not None
    return frame.f_code.co_name, frame.f_back.f_code.co_name


def gen_fn() -> Generator[int, str, str]:
    """The text's example: it yields twice, and returns."""
    first = yield 1
    second = yield 2
    return f"done with {first} and {second}"


def the_flag_of_a_generator(function: Callable[..., object]) -> bool:
    """Bit 5 of a code object's flags: the compiler has seen a `yield`, so a call makes a generator."""
    return bool(function.__code__.co_flags & 1 << 5)


def a_call_runs_nothing() -> list[str]:
    """Calling a generator function runs no line of it; the first `next` does."""
    seen = []

    def function() -> Generator[None, None, None]:
        seen.append("it runs")
        yield

    generator = function()
    seen.append("called")
    next(generator)
    return seen


def one_code_many_frames() -> tuple[bool, bool]:
    """Are the code objects of two generators the same one?  Are their frames?"""
    one: Any = gen_fn()  # Any, here and below: the type Generator does not tell of the frame
    other: Any = gen_fn()
    return one.gi_code is other.gi_code, one.gi_frame is other.gi_frame


def the_last_instruction_waits() -> tuple[list[int], bool]:
    """Where it is: before the start, at the first yield, still there later, at the second; then, is the frame gone?"""
    gen: Any = gen_fn()
    places = [gen.gi_frame.f_lasti]
    next(gen)
    places += [gen.gi_frame.f_lasti, gen.gi_frame.f_lasti]
    gen.send("hello")
    places.append(gen.gi_frame.f_lasti)
    for _ in gen:
        pass
    return places, gen.gi_frame is None


def send_gives_and_takes() -> tuple[int, int, str]:
    """`send` gives its value to the `yield` where it waits, and takes the next; the end is StopIteration.value."""
    gen = gen_fn()
    first = next(gen)
    second = gen.send("hello")
    try:
        gen.send("goodbye")
    except StopIteration as stop:
        return first, second, stop.value
    raise AssertionError("it returns after its second yield")


def nothing_can_be_sent_before_the_first_yield() -> str:
    """What comes of it."""
    try:
        gen_fn().send("hello")
    except TypeError as error:
        return str(error)
    raise AssertionError("there is no yield to take it")


def any_function_may_resume_it() -> tuple[list[str], bool]:
    """Who is below its frame on the stack, at two moments: whoever resumed it; while it is suspended, is it nobody?"""
    below = []

    def generator() -> Generator[None, None, None]:
        while True:
            frame = inspect.currentframe()
            assert frame is not None
            assert frame.f_back is not None
            below.append(frame.f_back.f_code.co_name)
            del frame  # a frame that refers to itself is freed late
            yield

    def one() -> None:
        next(gen)

    def another() -> None:
        next(gen)

    gen: Any = generator()
    one()
    another()
    return below, gen.gi_frame.f_back is None


def it_cannot_resume_itself() -> str:
    """What comes of it: a generator that runs is nowhere at a `yield`."""

    def generator() -> Generator[None, None, str]:
        yield
        try:
            next(gen)
        except ValueError as error:
            return str(error)
        raise AssertionError("it is running")

    gen = generator()
    next(gen)
    return value_of(gen)


def throw_raises_at_the_yield() -> tuple[list[str], str]:
    """`throw` is `send` of an error: who expects it goes on; who does not ends, and the error comes out of `throw`."""
    seen = []

    def generator() -> Generator[str, None, None]:
        try:
            yield "waiting"
        except ValueError as error:
            seen.append(f"caught {error}")
        yield "going on"

    gen = generator()
    seen.append(next(gen))
    seen.append(gen.throw(ValueError("one")))
    try:
        gen.throw(ValueError("another"))
    except ValueError as error:
        return seen, f"{error} came out"
    raise AssertionError("nobody catches the second one")


def stop_iteration_is_not_for_throwing() -> str:
    """What comes out of a generator into which it is thrown (the second text's defect K10)."""
    gen = gen_fn()
    next(gen)
    try:
        gen.throw(StopIteration())
    except RuntimeError as error:
        return str(error)
    raise AssertionError("it does not pass for a return")


def fibonacci() -> Generator[int, None, None]:
    """All of them: an infinite loop that is no harm, as it runs only as far as it is asked."""
    one, following = 0, 1
    while True:
        yield one
        one, following = following, one + following


def first_fibonacci(count: int) -> list[int]:
    """The first of them, so many."""
    return list(islice(fibonacci(), count))


def value_of(gen: Generator[Any, Any, str], last: str | None = None) -> str:
    """What the generator returns when it is sent its last value."""
    try:
        gen.send(last)
    except StopIteration as stop:
        value: str = stop.value
        return value
    raise AssertionError("it goes on")
