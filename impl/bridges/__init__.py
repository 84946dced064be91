"""Bridges: our primitives on the event loops of others, and others' programs on ours.

Nothing here is loaded by `import impl`.  `asyncio_names` gives asyncio's names, implemented here, on asyncio's loops;
`asyncio_run` runs asyncio programs, and `trio_run` trio programs, on our kernel, clock and network.
"""
