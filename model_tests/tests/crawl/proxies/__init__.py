"""Tests of crawls through proxies, simulated and real."""
