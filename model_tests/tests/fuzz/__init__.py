"""Tests of `model_tests.fuzz.specifications`."""
