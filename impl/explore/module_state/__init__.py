"""The state of the user's modules, which each run must begin with."""
