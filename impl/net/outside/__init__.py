"""Real servers as hosts of the simulated network: their addresses, their habits, and their connections in a run."""
