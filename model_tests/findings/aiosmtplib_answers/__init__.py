"""aiosmtplib: the answer to a command that was cancelled is taken for that to the next command."""
