"""Hypothesis state machines; the sequential model that they run against is the specification itself."""
