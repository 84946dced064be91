"""Other people's libraries, each in a folder of its name: harnesses and findings.  `primitives` has all adapters.

A *harness* is a program as a user of the library would write it.  It asserts its claims: nothing is lost, nothing
leaks, the limit is kept, the next caller is served, a cancel is answered, shutdown ends.  A *finding* is a bug that a
search finds, in a Markdown file; the plain script at its end shows it, and needs nothing of this project.
"""
