"""Benchmarks: the loop beside asyncio, uvloop, async-solipsism and trio, and the crawler beside other crawlers."""
