"""Exhaustive search with reduction: footprints of steps, and one run for each class of equivalent schedules."""
