"""Mutation fuzzing of everything that a crawl reads from others: responses, HTML, URLs, robots.txt, journals.

`python -m model_tests.assurance.fuzz` runs it.  An input is a function of the seed, the target and its number.
"""
