"""Tests of exhaustive search with reduction."""
