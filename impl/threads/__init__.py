"""Threads of a simulated program: each is an item of the ready queue, and one runs at a time."""
