"""Tests of random programs and their runtimes."""
