"""Bridges: our primitives on other event loops, and programs for other runtimes on our loop.

Nothing here is loaded by `import impl`.  `on_asyncio.names` has asyncio's names, implemented here, on asyncio's loops;
`asyncio.run` runs asyncio programs, and `trio.run` trio programs, on our kernel, clock and network.
"""
