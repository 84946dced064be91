"""Tests of impl's futures, tasks, primitives, combinators and loop."""
