"""Tests of impl.sim: choices, order, traces, deadlocks, determinism."""
