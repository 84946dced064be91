"""Tests of crawls in shards."""
