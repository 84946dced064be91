"""Tests of impl.net, simulated and real."""
