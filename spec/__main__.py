"""`python -m spec`: see `cli`."""

import sys

from .cli import main

try:
    sys.exit(main(prog="python -m spec"))
except KeyboardInterrupt:
    sys.exit(130)
