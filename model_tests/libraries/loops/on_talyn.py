"""talyn's loop under the name that asyncio has for making one; talyn needs the shared library of Python."""

import ctypes
import sys
import sysconfig
from pathlib import Path

_NAME = f"libpython3.{sys.version_info.minor}.so.1.0"
_LIBRARY = Path(sys.base_prefix, "lib", sysconfig.get_config_var("MULTIARCH") or "", _NAME)
if _LIBRARY.is_file():  # it may be where the linker does not look
    ctypes.CDLL(str(_LIBRARY), ctypes.RTLD_GLOBAL)

from talyn import Loop  # noqa: E402  # after the library

new_event_loop = Loop
