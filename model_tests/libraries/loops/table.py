"""The event loops that `make loops` holds to the rules: name, distribution, and the subject that the kit is given."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

HERE: Final = "model_tests/libraries/loops"


@dataclass(frozen=True)
class Public:
    """An event loop that anybody can have."""

    name: str
    #: Pinned here, or by constraints.txt if another part of the project needs it too; "": nothing.
    requires: str = ""
    subject: str = ""  #: a module, or a file of the checkout; "": the module of that name
    note: str = ""  #: for the reader of its row
    #: A rule of a finding -> the one that its test shows to be broken, if the kit names another; "": none.
    instead: Mapping[str, str] = field(default_factory=dict)

    @property
    def tested(self) -> str:
        """The subject, for `loopspec conform`."""
        return self.subject or self.name

    @property
    def distribution(self) -> str:
        """The distribution that gives the shown version; "": that of Python."""
        return self.requires.partition("==")[0]


LOOPS: Final = (
    Public("asyncio", note="its futures and tasks are those in C"),
    Public("asyncio, pure Python", "", f"{HERE}/on_python.py", "its futures and tasks are in Python"),
    Public("uvloop", "uvloop"),
    Public("rloop", "rloop"),
    Public("rsloop", "rsloop==0.1.66"),
    Public("zuvloop", "zuvloop==0.0.17"),
    Public("talyn", "talyn==0.10.4", f"{HERE}/on_talyn.py", "it needs a Python with a shared libpython"),
    Public("veloxloop", "veloxloop==0.2.0"),
    Public("blazio", "blazio==0.1.0", instead={"TASK-14": "TASK-11"}),
    Public("loopmini", "loopmini==0.2.3"),
    Public(
        "async-solipsism",
        "async-solipsism",
        "model_tests/libraries/primitives/async_solipsism.py",
        "time is virtual",
    ),
    # detangle keeps its tasks on purpose, for its report, so none is destroyed.
    Public("detangle", "detangle", f"{HERE}/on_detangle.py", "in its plain order; time is virtual", {"FUT-9": ""}),
    Public("simloop", "simloop", f"{HERE}/on_simloop.py", "in its plain order; time is virtual"),
    Public("trio-asyncio", "trio-asyncio==0.16.0", f"{HERE}/on_trio.py", "its loop that needs no trio program"),
    Public(
        "Temporal",
        "temporalio==1.35.0",
        f"{HERE}/on_temporal.py",
        "the loop in which workflows run, under a driver in the place of the server; it documents its names of tasks",
        {"GROUP-1": ""},  # a name again
    ),
    Public("loopspec", subject="impl", note="impl's own loop and primitives"),
    Public("loopspec on asyncio", "", "impl.bridges.on_asyncio.names", "impl's primitives, asyncio's loop"),
    Public("loopspec's SimEventLoop", subject=f"{HERE}/on_sim.py", note="asyncio's tasks on impl's kernel"),
)
