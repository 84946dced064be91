"""Hypothesis state machines: real code against sequential models, one rule an operation."""
