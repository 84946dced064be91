"""Wrong implementations, each with one rule taken away, and the table of the checks that catch them.

mutant        the definition of a mutant, and how one class stands in impl's place for every check
futures ...   the mutants, one file a primitive; `registry` collects them
checks        the checks; `caught` reads and writes the table, `python -m model_tests.mutants` makes it
"""
