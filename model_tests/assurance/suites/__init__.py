"""Test suites of other asyncio projects, run on the simulated loop."""
