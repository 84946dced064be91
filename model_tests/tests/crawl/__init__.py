"""Tests of impl.crawl and its commands."""
