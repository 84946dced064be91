"""The guards of a simulated run: each refuses or replaces calls that would leave the simulation."""
