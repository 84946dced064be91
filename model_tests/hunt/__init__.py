"""The hunt: short programs that use the most used asyncio libraries, searched for a schedule that breaks a library.

A *harness* is a module with a program as a user of the library would write it.  The program asserts its claims:
nothing is lost, nothing leaks, the limit is kept, the next caller is served, a cancel is answered, shutdown ends.
"""
