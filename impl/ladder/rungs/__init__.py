"""Teaching code: the rungs, one a file, in the order of `rung.RUNGS`."""
