"""`python -m spec`: see `commands.check`; `python -m spec prove`: see `commands.prove`."""

import sys

from .commands import check, prove

try:
    if sys.argv[1:2] == ["prove"]:
        sys.exit(prove.main(sys.argv[2:], prog=f"python -m {__package__} prove"))
    sys.exit(check.main(prog=f"python -m {__package__}"))
except KeyboardInterrupt:
    sys.exit(130)
