"""Subjects: right and wrong implementations of asyncio's names, for the conformance kit."""
