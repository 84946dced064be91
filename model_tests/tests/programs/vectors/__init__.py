"""Tests of the test vectors and the matrix."""
