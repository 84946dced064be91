"""Tests of model_tests.crawls: the same crawl on every runtime."""
