"""sqlite3 in a simulated run: a database that another connection has locked is waited for in virtual time.

sqlite3 waits for a lock in C, for five seconds by default, while no other thread of the run could release it.  So a
connection that a run makes has no such wait: a call that finds the database locked lets threads and the clock go on,
and is made again, until its timeout is over.

Source: https://sqlite.org/c3ref/busy_timeout.html, and `timeout` of sqlite3.connect.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from itertools import chain, repeat
from types import ModuleType
from typing import Any, Final, TypeAlias

from ..simulation import simulation

# Any in this file: connections and cursors, which belong to an optional module, and their arguments.
Call: TypeAlias = Callable[..., Any]

_TIMEOUT_S: Final = 5.0
#: The virtual seconds between two attempts, those of SQLite itself (sqliteDefaultBusyCallback).
_PAUSES_S: Final = tuple(ms / 1000 for ms in (1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100))
_BUSY: Final = 5  # SQLITE_BUSY; the extended codes have more bits
_OF_CONNECTION: Final = ("execute", "executemany", "executescript", "commit", "rollback", "backup")
_OF_CURSOR: Final = ("execute", "executemany", "executescript", "fetchone", "fetchmany", "fetchall")


def _patient(method: Call, connection_of: Call) -> Call:
    """A method that is called again while the database is locked."""

    @wraps(method)
    def called(self: Any, *args: Any, **more: Any) -> Any:
        seconds = connection_of(self)._patience_s
        pauses = chain(_PAUSES_S, repeat(_PAUSES_S[-1]))
        while True:
            try:
                return method(self, *args, **more)
            except Exception as error:
                here = simulation()
                if (getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF != _BUSY or seconds <= 0 or here is None:
                    raise
                pause = next(pauses)
                here.group().sleep(min(pause, seconds))
                seconds -= pause

    return called


@cache
def _cursor_class(kind: type) -> type:
    methods = {name: _patient(getattr(kind, name), lambda cursor: cursor.connection) for name in _OF_CURSOR}
    return type(kind.__name__, (kind,), methods)


@cache
def _connection_class(kind: Any, cursor: type) -> type:
    def make_cursor(self: Any, factory: Any = cursor) -> Any:
        return kind.cursor(self, _cursor_class(factory) if isinstance(factory, type) else factory)

    methods: dict[str, Any] = {
        name: _patient(getattr(kind, name), lambda connection: connection) for name in _OF_CONNECTION
    }
    return type(kind.__name__, (kind,), {**methods, "cursor": make_cursor, "_patience_s": _TIMEOUT_S})


def patch_sqlite(module: ModuleType) -> None:
    """Have `connect` of sqlite3 make connections that wait in virtual time, in a run."""
    real: Call = module.connect

    @wraps(real)
    def connect(database: Any, *args: Any, **more: Any) -> Any:
        # Positions: timeout, detect_types, isolation_level, check_same_thread, factory.
        given = {**more, **dict(zip(("timeout", "", "", "", "factory"), args, strict=False))}
        kind = given.get("factory", module.Connection)
        if simulation() is None or not isinstance(kind, type):
            return real(database, *args, **more)
        patient = _connection_class(kind, module.Cursor)
        if args:
            args = (0, *args[1:4], *((patient,) if len(args) > 4 else ()), *args[5:])
        if len(args) <= 4:
            more["factory"] = patient
        made = real(database, *args, **(more if args else {**more, "timeout": 0}))
        made._patience_s = given.get("timeout", _TIMEOUT_S)
        return made

    if not hasattr(real, "__wrapped__"):
        vars(module)["connect"] = connect
