"""The order of events: the pairs that asyncio orders, and whether a sentence, a test of CPython or nothing says so."""
