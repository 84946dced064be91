"""Tests of `model_tests.assurance.fuzz.specifications`."""
