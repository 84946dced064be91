"""Wrong implementations, each with one rule taken away, and the table of the checks that catch them.

mutant        the definition of a mutant, and how one class stands in impl's place for every check
registry      the mutants, which are texts in `implementations/mutants`
checks        the checks; `caught` reads and writes the table, `python -m model_tests.mutants` makes it
"""
