"""Mutants made by machine: one edit of a file each, judged by the tests or by the checks of the specification.

The texts of `implementations/mutants` are written by hand, each with the rule that it breaks.  Here a mutator makes
every small edit that it knows, and each must be noticed, or be in the reviewed list with a reason.  No module here but
alone.py imports spec or impl at its top: a mutant is judged in a fork, which imports them with the edit.

    edit.py, mutator.py     the edits of a file, from its syntax tree
    draw.py                 a sample of them, by a seed
    apart.py                a process for an edit, with a limit of CPU seconds, and the module that has it there
    of_impl.py, of_texts.py which files there are, and the tiers that judge an edit
    review_list.py          the survivors that are allowed, each with its reason
    __main__.py             the command
    deletion.py             a command: which checks would notice if a property or a bounded model were deleted
    alone.py, evidence.py   how that is found; the file that stores it
"""
