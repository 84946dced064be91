"""Other people's tests of asyncio programs, run on the simulated loop."""
