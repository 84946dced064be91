"""Teaching code: the environments in which a rung runs, simulated and real."""
