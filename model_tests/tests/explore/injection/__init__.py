"""Tests of the injection of cancels, timeouts and late timers."""
