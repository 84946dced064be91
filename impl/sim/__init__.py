"""Deterministic simulation: choices, virtual time, the order of tasks, traces and deadlock reports."""
