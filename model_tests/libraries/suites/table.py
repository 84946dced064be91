"""The libraries that have their asynchronous tests explored, and the judgement of each verdict that was looked into.

The tests are those of the source distribution of the version that constraints.txt has, or that is pinned here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

#: The plugins that run asynchronous tests.
ASYNCIO: Final = ("pytest-asyncio",)
ANYIO: Final = ("anyio", "trio")

_MERGED: Final = (
    "the close times out before the job has seen its cancel, and the two cancels become one: it needs another order,"
    " too, so asyncio does not show it today"
)


@dataclass(frozen=True)
class ExploredSuite:
    """The tests of a library."""

    requires: str  #: the distribution, as pip has it
    beside: tuple[str, ...] = ASYNCIO  #: the other distributions that the tests need
    paths: tuple[str, ...] = ("tests",)  #: the tests that are run
    only: str = ""  #: pytest's -k
    settings: tuple[str, ...] = ("asyncio_mode = auto",)  #: pytest's, those of the library that its tests need
    options: tuple[str, ...] = ()  #: pytest's
    parts: tuple[str, ...] = ("tests",)  #: the files and folders of the source distribution that are the tests
    #: A part of the node ids of tests -> why they do not pass.
    judged: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the distribution."""
        return self.requires.partition("==")[0].partition("[")[0]


SUITES: Final = (
    ExploredSuite(
        "aiojobs",
        (*ASYNCIO, "pytest-aiohttp"),
        judged={
            "test_job_close_timeout": _MERGED,
            "test_timeout_on_closing": _MERGED,
            "test_wait_and_close_spawn": "wait_and_close times out before the jobs end: the suite's matter",
        },
    ),
    ExploredSuite(
        "async-lru",
        judged={
            "test_cache_close": "its sleep of 0.1 s ends after the 0.2 s of the cached calls: the suite's matter",
            "test_ttl": "an entry expires early, or a sleep of the test is longer: the suite's matter",
            "test_alru_exception_reference_cleanup": "1,000 tasks take too long in all runs together: our matter",
        },
    ),
    ExploredSuite("aiolimiter", (*ASYNCIO, "dunamai", "toml", "typing_extensions")),
    ExploredSuite("aiodataloader", paths=("test_aiodataloader.py",), parts=("test_aiodataloader.py",)),
    ExploredSuite("stamina", (*ANYIO, "dirty-equals", "structlog", "prometheus-client")),
    ExploredSuite("aiocache", (*ASYNCIO, "pytest-mock", "aiomcache", "redis", "msgpack"), ("tests/ut",)),
    ExploredSuite("aiostream"),
    ExploredSuite("async-timeout", judged={"test_timeout": "it bounds a time above: the suite's matter"}),
    ExploredSuite(
        "aiotools",
        (*ASYNCIO, "typing_extensions"),
        only="not fork and not server",
        judged={"test_aclosing": "0.3 s must end between the sleeps of 0.2 s and of 0.4 s: the suite's matter"},
    ),
    ExploredSuite("aiometer", ANYIO, judged={"TestMaxPerSecond": "it bounds the time between starts: the suite's"}),
    ExploredSuite(
        "anyio",
        (*ANYIO, "pytest-mock", "psutil", "trustme", "exceptiongroup", "blockbuster", "truststore", "hypothesis"),
        tuple(
            f"tests/{each}"
            for each in (
                "streams",
                "test_synchronization.py",
                "test_taskgroups.py",
                "test_functools.py",
                "test_itertools.py",
                "test_lowlevel.py",
            )
        ),
        "not trio and not uvloop and not tls",
        ("anyio_mode = auto", "markers = network"),
    ),
    ExploredSuite(
        "httpx", (*ANYIO, "trustme", "cryptography", "uvicorn", "chardet", "h2", "socksio", "brotli", "zstandard")
    ),
    ExploredSuite(
        "httpcore",
        (*ANYIO, "hpack", "h2", "socksio", "hyperframe", "pytest-httpbin"),
        settings=("markers = copied_from",),
        judged={"immediate_expiry": "keepalive_expiry=0 keeps a connection until the clock ticks: a finding"},
    ),
    ExploredSuite("starlette", (*ANYIO, "httpx2", "itsdangerous", "jinja2", "python-multipart", "PyYAML")),
    ExploredSuite("janus", judged={"test_blocking_": "0.01 s must be longer than a few steps: the suite's matter"}),
    ExploredSuite(
        "asgiref",
        settings=("asyncio_mode = strict",),
        judged={
            "test_server.py": "it polls a socket after each sleep(0), so virtual time stands still: our matter",
            "blocker_non_thread_sensitive": "a wait of multiprocessing is not refused: our matter",
        },
    ),
    ExploredSuite("aioresponses", (*ASYNCIO, "ddt")),
    ExploredSuite("aiosmtplib", (*ASYNCIO, "aiosmtpd", "hypothesis", "trustme", "pytest-mock")),
    ExploredSuite(
        "hypercorn",
        (*ASYNCIO, "trio", "pytest-trio", "httpx", "hypothesis"),
        judged={
            "test_startup_timeout_error": "0.01 s must be over before 0.02 s are: the suite's matter",
            "test_pings": "0.15 s must end before the third ping after 0.2 s: the suite's matter",
        },
    ),
    ExploredSuite(
        "uvicorn",
        (*ANYIO, "pytest-mock", "httpx2", "PyYAML", "trustme", "websockets", "httptools", "wsproto", "a2wsgi"),
        options=("--ignore=tests/supervisors",),
        judged={"invalid_host": "the simulated network has its illegal host, so the server runs on: our matter"},
    ),
    # The other files poll the real clock, or keep files that are named by uuid4(), which is the same in each run.
    ExploredSuite(
        "pyrate-limiter",
        (*ASYNCIO, "aiohttp"),
        tuple(
            f"tests/test_{each}.py"
            for each in ("acquire_path", "aiohttp_limiter", "blocking_timeouts", "closing", "gcra", "retry_after")
        ),
        "not mp_ and not multi and not redis and not postgres and not sqlite",
        judged={
            "awaitable_get_bucket": "0.1 s must be over before 0.2 s are: the suite's matter",
            "_after_wait": "its safety net of 2 s answers False, and is no error: the suite's matter",
            "admissible_burst": "the same",
        },
    ),
    ExploredSuite("python-engineio", (*ASYNCIO, "aiohttp", "requests", "websocket-client", "tornado")),
    ExploredSuite("python-socketio", (*ASYNCIO, "aiohttp", "msgpack", "redis", "requests", "valkey")),
    ExploredSuite(
        "taskiq",
        (*ANYIO, "freezegun", "polyfactory", "orjson", "msgpack"),
        settings=("anyio_mode = auto",),
        options=("--ignore=tests/opentelemetry",),
    ),
    ExploredSuite(
        "aiohttp",
        (*ASYNCIO, "pytest-mock", "trustme", "freezegun"),
        tuple(
            f"tests/test_{each}.py" for each in ("streams", "flowcontrol_streams", "tracing", "client_ws", "web_app")
        ),
    ),
    ExploredSuite("sse-starlette", (*ASYNCIO, "httpx", "fastapi", "uvicorn", "asgi-lifespan", "psutil")),
)
