"""Tests of the proofs; those that need Z3 are skipped where it is missing."""
