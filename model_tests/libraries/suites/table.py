"""The libraries that have their asynchronous tests explored, and the judgement of each verdict that was looked into.

The tests are those of the source distribution of the version that constraints.txt has, or that is pinned here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

#: The plugins that run asynchronous tests.
ASYNCIO: Final = ("pytest-asyncio",)
ANYIO: Final = ("anyio", "trio")


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
    ExploredSuite("aiojobs", (*ASYNCIO, "pytest-aiohttp")),
    ExploredSuite("async-lru"),
    ExploredSuite("aiolimiter", (*ASYNCIO, "dunamai", "toml", "typing_extensions")),
    ExploredSuite("aiodataloader", paths=("test_aiodataloader.py",), parts=("test_aiodataloader.py",)),
    ExploredSuite("stamina", (*ANYIO, "dirty-equals", "structlog", "prometheus-client")),
    ExploredSuite("aiocache", (*ASYNCIO, "pytest-mock", "aiomcache", "redis", "msgpack"), ("tests/ut",)),
    ExploredSuite("aiostream"),
    ExploredSuite("async-timeout"),
    ExploredSuite("aiotools", (*ASYNCIO, "typing_extensions"), only="not fork and not server"),
    ExploredSuite("aiometer", ANYIO),
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
    ),
    ExploredSuite("starlette", (*ANYIO, "httpx2", "itsdangerous", "jinja2", "python-multipart", "PyYAML")),
    ExploredSuite("janus"),
    ExploredSuite("asgiref", settings=("asyncio_mode = strict",)),
    ExploredSuite("cashews", (*ASYNCIO, "pytest-mock", "fakeredis", "hypothesis", "dill")),
    ExploredSuite("aioresponses", (*ASYNCIO, "ddt")),
    ExploredSuite("aiosmtplib", (*ASYNCIO, "aiosmtpd", "hypothesis", "trustme", "pytest-mock")),
    ExploredSuite("hypercorn", (*ASYNCIO, "trio", "pytest-trio", "httpx", "hypothesis")),
    ExploredSuite(
        "uvicorn",
        (*ANYIO, "pytest-mock", "httpx2", "PyYAML", "trustme", "websockets", "httptools", "wsproto", "a2wsgi"),
    ),
    ExploredSuite("pyrate-limiter", (*ASYNCIO, "aiohttp")),
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
)
