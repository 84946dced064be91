"""`python -m spec`: see `commands.check`; `python -m spec prove`: see `commands.prove`."""

import sys

from .kit.core import SpecError

try:
    # here, because a specification that is not well formed cannot be imported
    from .commands import check, prove

    if sys.argv[1:2] == ["prove"]:
        sys.exit(prove.main(sys.argv[2:], prog=f"python -m {__package__} prove"))
    sys.exit(check.main(prog=f"python -m {__package__}"))
except KeyboardInterrupt:
    sys.exit(130)
except SpecError as error:
    print(f"python -m {__package__}: {error}", file=sys.stderr)
    sys.exit(2)
