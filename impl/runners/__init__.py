"""Running a program: run and Runner as asyncio has them, and simulate, which replays a run from its choices."""
