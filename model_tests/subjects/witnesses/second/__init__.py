"""The witnesses of the second set."""
