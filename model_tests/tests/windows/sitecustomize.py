"""Hide the names that Windows does not have from loopspec and its user's code, in this process and in its children.

The interpreter imports this module at its start, if this folder is on PYTHONPATH.  The standard library and installed
packages still find everything, because they belong to this system: the file of the caller decides.

Not covered: asyncio's proactor loop, paths with drives and backslashes, files that are locked while they are open.
"""

import asyncio
import builtins
import importlib
import multiprocessing
import os
import select
import selectors
import signal
import socket
import sys
import sysconfig
import time
from collections.abc import Mapping, Sequence
from types import FrameType, ModuleType
from typing import Any, Final

# Any in this file: an attribute of a module.

#: Modules that Windows does not have.
MODULES: Final = """
    _posixshmem _posixsubprocess asyncio.unix_events curses fcntl grp posix pty pwd readline resource syslog termios tty
""".split()  # noqa: SIM905  (a line a name would be long)

#: The beginnings of the names that these modules do not have on Windows.
LACKS: Final[Mapping[ModuleType, str]] = {
    asyncio: "open_unix_connection start_unix_server unix_events",
    os: """
        CLD_ EX_ F_ GRND_ O_ACCMODE O_ASYNC O_CLOEXEC O_DIRECT O_DSYNC O_NDELAY O_NOATIME O_NOCTTY O_NOFOLLOW O_NONBLOCK
        O_PATH O_RSYNC O_SYNC POSIX_ PRIO_ P_ALL P_PGID P_PID RTLD_ SCHED_ ST_ W XATTR_ chown chroot confstr
        copy_file_range ctermid environb eventfd fchdir fchown fdatasync fork fpathconf fstatvfs getegid geteuid getgid
        getgroups getloadavg getpg getpriority getrandom getresgid getresuid getsid getuid getxattr initgroups killpg
        lchown listxattr lockf login_tty major makedev memfd_create minor mkfifo mknod nice openpty pathconf pidfd pipe2
        posix_ pread preadv pwrite pwritev readv register_at_fork removexattr sched_ sendfile set_blocking setegid
        seteuid setgid setgroups setns setpg setpriority setre setsid setuid setxattr spawnlp spawnvp splice statvfs
        sync sysconf tcgetpgrp tcsetpgrp ttyname uname unshare wait3 wait4 waitid writev
    """,
    select: "EPOLL PIPE_BUF POLL epoll kevent kqueue poll",
    selectors: "EpollSelector KqueueSelector PollSelector",
    signal: """
        ITIMER_ SIGALRM SIGBUS SIGCHLD SIGCLD SIGCONT SIGHUP SIGIO SIGKILL SIGPIPE SIGPOLL SIGPROF SIGPWR SIGQUIT SIGRT
        SIGSTKFLT SIGSTOP SIGSYS SIGTRAP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR SIGVTALRM SIGWINCH SIGXCPU SIGXFSZ
        SIG_BLOCK SIG_SETMASK SIG_UNBLOCK alarm getitimer pause pthread_ setitimer siginterrupt sigpending sigtimedwait
        sigwait
    """,
    socket: """
        AF_NETLINK AF_PACKET AF_UNIX CMSG_ MSG_DONTWAIT MSG_NOSIGNAL SCM_ SOCK_CLOEXEC SOCK_NONBLOCK SO_REUSEPORT
        recv_fds send_fds sethostname
    """,
    time: "CLOCK_ clock_ pthread_ tzset",
}
GONE: Final = {module: tuple(names.split()) for module, names in LACKS.items()}

#: The beginnings of the files of code that belongs to this system.
OF_THE_SYSTEM: Final = (
    "<frozen",
    os.path.abspath(__file__),
    *(path for name, path in sysconfig.get_paths().items() if "lib" in name),
)


def sockets_only(
    rlist: Sequence[object], wlist: Sequence[object], xlist: Sequence[object], timeout: float | None = None
) -> Any:
    """Take the place of select.select: on Windows it accepts no other files."""
    if not all(isinstance(each, socket.socket) for each in (*rlist, *wlist, *xlist)):
        raise OSError(10038, "An operation was attempted on something that is not a socket")
    return select.select(rlist, wlist, xlist, timeout)


def terminate(pid: int, number: int) -> None:
    """Take the place of os.kill: on Windows it ends the process, whatever the signal."""
    os.kill(pid, signal.SIGKILL)


#: The names that these modules also have on Windows, but differently.
DIFFERS: Final[Mapping[ModuleType, Mapping[str, Any]]] = {
    multiprocessing: {"get_all_start_methods": lambda: ["spawn"]},
    os: {"O_BINARY": 0, "kill": terminate},
    select: {"select": sockets_only},
    selectors: {"DefaultSelector": selectors.SelectSelector},
    sys: {"platform": "win32"},
}

caller: Final = sys._getframe  # the attribute would be looked up below


def is_on_windows(frame: FrameType | None) -> bool:
    """Return whether the code of a frame is meant to be on Windows."""
    return frame is not None and not frame.f_code.co_filename.startswith(OF_THE_SYSTEM)


class Windows(ModuleType):
    """A module as it is on Windows, for code that is meant to be there."""

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("__") and is_on_windows(caller().f_back):
            if name in DIFFERS.get(self, ()):
                return DIFFERS[self][name]
            if name.startswith(GONE.get(self, ())):
                raise AttributeError(f"{self.__name__} has no {name} on Windows", name=name, obj=self)
        return super().__getattribute__(name)


def check_module(name: str, frame: FrameType | None) -> None:
    """Raise ModuleNotFoundError if the code of a frame imports a module that it cannot have."""
    if name in MODULES and is_on_windows(frame):
        raise ModuleNotFoundError(f"there is no module {name} on Windows", name=name)


real_import, real_import_module = builtins.__import__, importlib.import_module


def import_(name: str, *others: Any, **named: Any) -> Any:
    """Take the place of `__import__`, which an import statement calls."""
    check_module(name, caller().f_back)
    return real_import(name, *others, **named)


def import_module(name: str, package: str | None = None) -> ModuleType:
    """Take the place of importlib.import_module."""
    check_module(name, caller().f_back)
    return real_import_module(name, package)


for module in {*LACKS, *DIFFERS}:
    module.__class__ = Windows
builtins.__import__ = import_
importlib.import_module = import_module
