"""asyncio's factory of eager tasks is set in asyncio's loop, or in uvloop's.  A task should begin in create_task()."""

import asyncio

import uvloop


async def main() -> str:
    steps: list[str] = []

    async def step() -> None:
        steps.append("eager")

    loop = asyncio.get_running_loop()
    loop.set_task_factory(asyncio.eager_task_factory)  # type: ignore[attr-defined]  # since Python 3.12
    coroutine = step()
    try:
        task = asyncio.create_task(coroutine)
    except TypeError:  # before Python 3.14
        coroutine.close()
        return "not eager"
    finally:
        loop.set_task_factory(None)
    shown = steps[0] if steps else "not eager"
    await task
    return shown


def outcome(wrong: bool) -> str:
    with asyncio.Runner(loop_factory=uvloop.new_event_loop if wrong else asyncio.new_event_loop) as runner:
        return runner.run(main())


if __name__ == "__main__":
    print("asyncio's loop:", outcome(False))
    print("uvloop's loop:", outcome(True))
