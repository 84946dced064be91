"""The witnesses of the third set."""
