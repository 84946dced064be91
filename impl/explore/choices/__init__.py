"""The choices of a run: their sources, and the strategies that draw them."""
