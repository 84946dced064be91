"""Public event loops, held to asyncio's rules: `make loops`, and the page LOOPS.md."""
