"""Futures and their callbacks."""

from .models import future_fifo_model, future_model
from .specification import Box, Futures, future

__all__ = ["Box", "Futures", "future", "future_fifo_model", "future_model"]
