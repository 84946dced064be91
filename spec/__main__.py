"""`python -m spec`: see `commands.check`."""

import sys

from .commands.check import main

try:
    sys.exit(main(prog="python -m spec"))
except KeyboardInterrupt:
    sys.exit(130)
