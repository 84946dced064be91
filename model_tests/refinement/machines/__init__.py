"""Hypothesis state machines: made from specifications; of futures and tasks, against a sequential model."""
