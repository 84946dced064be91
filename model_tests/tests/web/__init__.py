"""Tests of impl.web."""
