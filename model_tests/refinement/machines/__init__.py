"""Hypothesis state machines, made from the specifications: the sequential model is the specification itself."""
