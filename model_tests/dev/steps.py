"""The steps of `make check` before pytest: each has a name, a command and, at the end, its seconds.

The steps are independent, and some run side by side, the longest first, to keep the cores of a small machine busy: one
more than there are cores, since limits of time are for a machine that is not overloaded.  The output of each is printed
when it ends.  The first step that fails ends the run: the steps still running are killed, and the name of the
failed step is the last line.

    python -m model_tests.dev.steps [--full]
"""

import asyncio
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from spec.registry import REGISTRY

WINGS: Final = ("spec", "impl", "model_tests")
#: The seed of the proofs that the short form tries: some of safety, leads-to and confluence, and no long one.
SAMPLE: Final = "4"


@dataclass(frozen=True, slots=True)
class CommandStep:
    """A command, run with this interpreter: `python -m` and `arguments`."""

    name: str
    arguments: tuple[str, ...]


class StepFailed(Exception):
    """A step exited with a status other than 0; the text names it."""


def steps(*, full: bool) -> list[CommandStep]:
    """Return the steps; with `full`, the long forms."""
    wings = " ".join(WINGS)
    compare = f"compare --sites {2000 if full else 30} --real-sites {300 if full else 8}"
    mutation, quick = "model_tests.assurance.mutation", "" if full else "--quick"
    commands = {
        "format": f"ruff format --check {wings}",
        "lint": f"ruff check {wings}",
        "types": "mypy",
        "compare": f"model_tests.commands.cli {compare}",
        "compare --faulty": f"model_tests.commands.cli {compare} --faulty",
    }
    commands["mutants of impl"] = f"{mutation} impl --number {60 if full else 3} {quick}"
    if find_spec("z3"):
        commands["prove"] = "spec prove" if full else f"spec prove --sample --seed {SAMPLE}"
        commands["mutants of texts"] = f"{mutation} texts --number {600 if full else 5} {quick}"
        commands["deletion"] = f"{mutation}.deletion --number {40 if full else 4}"
    for name in dict.fromkeys(instance.spec.name for instance in REGISTRY):
        commands[f"spec {name}"] = f"spec {name} {'--full' * full}"
    return [CommandStep(name, tuple(command.split())) for name, command in commands.items()]


async def run_all(steps: list[CommandStep]) -> None:
    """Run the steps, so many side by side that the cores are busy.

    Raises:
        StepFailed: the first that failed; the others have been killed.
    """
    free = asyncio.Semaphore((os.cpu_count() or 1) + 1)
    try:
        async with asyncio.TaskGroup() as group:
            for step in steps:
                group.create_task(_run(step, free))
    except* StepFailed as failed:
        raise failed.exceptions[0] from None


async def _run(step: CommandStep, free: asyncio.Semaphore) -> None:
    async with free:
        await _ran(step)


async def _ran(step: CommandStep) -> None:
    started = time.monotonic()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        *step.arguments,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if output:
        sys.stdout.buffer.write(output)
    if process.returncode:
        raise StepFailed(f"step {step.name} failed: python -m {' '.join(step.arguments)}")
    print(f"== {step.name}: {time.monotonic() - started:.1f} s", flush=True)


def main(argv: list[str]) -> int:
    """Run all; return 0, or 1 if a step failed, 2 on bad usage."""
    if argv not in ([], ["--full"]):
        print("usage: python -m model_tests.dev.steps [--full]", file=sys.stderr)
        return 2
    try:
        asyncio.run(run_all(steps(full="--full" in argv)))
    except StepFailed as failed:
        print(f"make check: {failed}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
