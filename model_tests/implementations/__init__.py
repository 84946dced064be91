"""Implementations of asyncio's names that are put to the test: right ones, wrong ones, and mutants of impl, as texts.

right wrong mutants     a text an implementation, by primitive and kind of difference or defect (`corpus`)
parts                   right code that several of them change in one thing
rows                    all of them, with examples and the primitives of libraries; `all_mutants` and `mutant` for
impl's caught                  the table of the checkers that see each: `python -m model_tests.implementations` makes it
judged                  right ones under the conformance kit, which must find nothing
"""
