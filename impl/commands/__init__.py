"""What the commands share: their parsers, options and output files."""
