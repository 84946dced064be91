"""Programs of strangers: racy ones of public reports, and correct ones; the bare search, measured on them."""
