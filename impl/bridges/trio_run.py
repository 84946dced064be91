"""The old place of `impl.bridges.trio.run`, for one release."""

from .trio.run import run_trio, simulate_trio

__all__ = ["run_trio", "simulate_trio"]
