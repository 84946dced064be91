"""Tests of what assures the checks."""
