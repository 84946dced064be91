"""The vectors as a test of other implementations: the command, its players, the verdicts."""
