"""The build backend (PEP 517): setuptools', but a wheel is built from the copy of the tree that `wheel.py` makes.

So `pip wheel .`, `pip install .` and `make wheel` give the same package.  An editable install is of the checkout.
"""

import os
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

from setuptools import build_meta  # type: ignore[import-untyped]  # it has no types

from .wheel import stage

build_editable = build_meta.build_editable
build_sdist = build_meta.build_sdist
get_requires_for_build_editable = build_meta.get_requires_for_build_editable
get_requires_for_build_sdist = build_meta.get_requires_for_build_sdist
get_requires_for_build_wheel = build_meta.get_requires_for_build_wheel
prepare_metadata_for_build_editable = build_meta.prepare_metadata_for_build_editable


def build_wheel(
    wheel_directory: str,
    config_settings: dict[str, Any] | None = None,  # Any: setuptools' settings
    metadata_directory: str | None = None,
) -> str:
    """Write the wheel of the tree in the current directory into a folder; returns the name of the file.

    Raises:
        WheelError: see `wheel.stage`.
    """
    into = os.path.abspath(wheel_directory)
    with tempfile.TemporaryDirectory(prefix="loopspec-wheel-") as folder:
        stage(Path.cwd(), Path(folder))
        with chdir(folder):
            name: str = build_meta.build_wheel(into, config_settings)
            return name
