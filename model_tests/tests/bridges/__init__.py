"""Tests of impl.bridges."""
