"""Proofs for any number of tasks, items and URLs: the same text, read into logic and given to Z3.

    solver        the face of Z3: terms, and questions with an answer; no other module imports z3
    values        maps, sets and records of terms
    operations    the operations of the subset, by the kinds of their operands
    sorts         the types of a specification as sorts, and constants of them
    sums          sums over sets; only facts are known about them
    expressions   expressions of the subset (`kit/render/subset.py`) -> terms
    reader        functions of the subset -> terms, or ways
    obligations   the obligations of a specification, and the questions that prove one
    few           the same questions over few elements: counterexamples are states, and Python checks them
    admission     the checks of a specification before the first proof
    agreement     the translation against Python, on states mixed from a bounded model
    population    the states of a bounded model, and the elements of each type
    laws          the laws of opaque helpers against the helpers
    verdicts      proved, refuted or unknown, with the premises
    premises      the premises that are pinned

Nothing of the kit imports this package; the command `prove` does, and says how to install Z3 if it is missing.
"""
