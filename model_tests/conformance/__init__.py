"""The conformance kit: plays programs on an implementation under test, and compares the observations with impl's.

subject      the implementation under test: a namespace with asyncio's names, and its event loop
child        the process that plays programs on it; `process` is the parent's side of that connection
sources      all programs, in order; `scenarios` and `awaiting` are those of the enumeration
judge        decides the meaning of a difference; `known` has the known bugs of this CPython
report       one line for each rule, and a runnable script for each broken one
"""
