"""Teaching code: rung 7, facts about generators: a generator is a function that can be suspended and resumed.

Teaches: each function below demonstrates one sentence of the text about frames and generators and returns what it
observed.  Nothing is fetched.  The text reads offsets and sizes from CPython 3.4's bytecode, which differ between
versions; the functions state their meaning without numbers.
Changed against rung 5: nothing yet; but a generator has what a callback lacks, a function that is suspended in its
middle with its variables and its place.  Rung 9 makes a Task of it.

Against the second text: `throw(StopIteration)` no longer ends a generator (defect K10; PEP 479).

`channel.py` adds `yield from`.

Source: "A Web Crawler With asyncio Coroutines" (500 Lines), "How Python Generators Work"; PEP 342.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Generator
from itertools import islice
from types import FrameType
from typing import Any


def a_frame_outlives_its_call() -> tuple[str, str]:
    """Frames live on the heap: the frame of `bar` still refers to that of `foo` when both have returned."""

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
    """Bit 5 of the code flags: the compiler has seen a `yield`, so a call creates a generator."""
    return bool(function.__code__.co_flags & 1 << 5)


def a_call_runs_nothing() -> list[str]:
    """Calling a generator function runs none of its lines; the first `next` does."""
    seen = []

    def function() -> Generator[None, None, None]:
        seen.append("it runs")
        yield

    generator = function()
    seen.append("called")
    next(generator)
    return seen


def one_code_many_frames() -> tuple[bool, bool]:
    """Whether two generators share their code object, and whether they share their frame."""
    one: Any = gen_fn()  # Any, here and below: the type Generator has no frame
    other: Any = gen_fn()
    return one.gi_code is other.gi_code, one.gi_frame is other.gi_frame


def the_last_instruction_waits() -> tuple[list[int], bool]:
    """The last instruction before the start, at the first yield (twice), at the second; whether the frame is gone."""
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
    """`send` passes a value to the suspended `yield` and returns the next one; the result is in StopIteration."""
    gen = gen_fn()
    return next(gen), gen.send("hello"), value_of(gen, "goodbye")


def nothing_can_be_sent_before_the_first_yield() -> str:
    """The error of sending a value to a generator that has not started."""
    return error_of(lambda: gen_fn().send("hello"))


def any_function_may_resume_it() -> tuple[list[str], bool]:
    """The caller of the generator's frame, each time it is resumed; whether a suspended one has none."""
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
    """The error when a running generator resumes itself: it is not at a `yield`."""

    def generator() -> Generator[None, None, str]:
        yield
        return error_of(lambda: next(gen))

    gen = generator()
    next(gen)
    return value_of(gen)


def throw_raises_at_the_yield() -> tuple[list[str], str]:
    """`throw` raises an error at the `yield`: a generator that catches it continues, else it comes out of `throw`."""
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
    return seen, f"{error_of(lambda: gen.throw(ValueError('another')))} came out"


def stop_iteration_is_not_for_throwing() -> str:
    """The error that comes out when StopIteration is thrown in (the second text's defect K10)."""
    gen = gen_fn()
    next(gen)
    return error_of(lambda: gen.throw(StopIteration()))


def fibonacci() -> Generator[int, None, None]:
    """All Fibonacci numbers: the infinite loop runs only as far as it is resumed."""
    one, following = 0, 1
    while True:
        yield one
        one, following = following, one + following


def first_fibonacci(count: int) -> list[int]:
    """The first Fibonacci numbers."""
    return list(islice(fibonacci(), count))


def value_of(gen: Generator[Any, Any, str], last: str | None = None) -> str:
    """The return value of a generator that ends when `last` is sent."""
    try:
        gen.send(last)
    except StopIteration as stop:
        value: str = stop.value
        return value
    raise AssertionError("the generator yields again")


def error_of(call: Callable[[], object]) -> str:
    """The text of the error that a call raises."""
    try:
        call()
    except Exception as error:
        return str(error)
    raise AssertionError("the call raises an error")
