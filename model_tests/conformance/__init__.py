"""The conformance kit: plays programs on a subject, and judges what is seen by the reference.

subject    a namespace with asyncio's names that is put under test, and its loop
child      the process that plays programs on it; `process` is the end of who asks
rooms      the primitives of the small-scope enumeration, which `enumeration` leads through every order of moves
sources    all programs, in the order in which they are played
judge      what a difference means; `known` is what this version of CPython is known for
report     one line a rule, and a runnable script for a broken one
"""
