"""Bridges: our primitives on other event loops, and programs for other runtimes on our loop.

Nothing here is loaded by `import impl`.  `asyncio_names` has asyncio's names, implemented here, on asyncio's loops;
`asyncio_run` runs asyncio programs, and `trio_run` trio programs, on our kernel, clock and network.
"""
