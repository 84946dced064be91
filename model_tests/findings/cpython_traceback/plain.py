"""The import of a package fails, as a module that it needs is missing.  Then the traceback of the error is formatted.

The missing module is another one, or the package's own part in C: "mine._native" of a package that was not built.
"""

import sys
import tempfile
import traceback
from pathlib import Path

TEXT = "import sys\nsys.imports += 1\nimport {missing}\n"


def outcome(wrong: bool) -> str:
    name = f"mine_{wrong}"
    vars(sys)["imports"] = 0
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        (Path(folder) / name).mkdir()
        missing = f"{name}._native" if wrong else "not_there"
        (Path(folder) / name / "__init__.py").write_text(TEXT.format(missing=missing))
        try:
            __import__(name)
        except ModuleNotFoundError:
            try:
                formatted = "formatted" if missing in traceback.format_exc() else "without its text"
            except ModuleNotFoundError:
                formatted = "not formatted"
        finally:
            sys.path.remove(folder)
    return f"{formatted}, {'imported once' if vars(sys)['imports'] == 1 else 'imported again'}"


if __name__ == "__main__":
    print("another module is missing:", outcome(False))
    print("its own part is missing:", outcome(True))
