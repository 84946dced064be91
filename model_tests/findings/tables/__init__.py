"""The rows of the findings, by the kind of their libraries."""
