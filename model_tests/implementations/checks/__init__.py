"""The checks that catch mutants, one file a column of the table.

Each has `find(mutant)`, which searches and returns its finding as JSON, or None; and `again(mutant, found)`, which
repeats only that and returns whether the mutant is caught there as before.
"""
