"""List the wrong subjects as arguments of `loopspec conform`: python -m model_tests.subjects.wrong"""

from __future__ import annotations

from . import wrong_subjects

if __name__ == "__main__":
    for path, name in wrong_subjects():
        print(f"{path}:{name}")
