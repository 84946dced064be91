"""A simulated network without an event loop, for the laws of Conn, Listener and Net.

`Clock` is a kernel of twenty lines, all that the network needs: a list of timers, where those of equal deadline fire
in a random order.
"""

from __future__ import annotations

from collections.abc import Callable

from impl.interfaces import Observer, Runnable
from impl.net import CALM, Conn, Net, SimulatedNet, Weather
from impl.sim.choices import Choices


class Clock:
    """The minimal kernel for the network."""

    def __init__(self, choices: Choices | None = None, observer: Observer | None = None) -> None:
        self.now = 0
        self.observer = observer
        self.choices = choices or Choices.plain()
        self.timers: list[tuple[int, int, Runnable]] = []
        self.count = 0

    def at(self, when: int, target: Runnable) -> None:
        self.count += 1
        self.timers.append((max(when, self.now), self.count, target))

    def step(self) -> bool:
        """Fire one timer of the earliest deadline; return False if there is none."""
        if not self.timers:
            return False
        self.timers.sort()
        self.now = self.timers[0][0]
        tied = sum(timer[0] == self.now for timer in self.timers)
        _, _, target = self.timers.pop(self.choices.schedule(tied))
        target.run()
        return True

    def run(self) -> None:
        while self.step():
            pass


def network(weather: Weather = CALM, choices: Choices | None = None) -> tuple[Clock, SimulatedNet]:
    choices = choices or Choices.plain()
    clock = Clock(choices)
    net = SimulatedNet(clock, choices, weather)
    net.add_host("server")
    return clock, net


def ask(clock: Clock, net: Net, host: str = "server", port: int = 80) -> list[Conn | OSError]:
    """Connect, and run until idle; return the answers."""
    answers: list[Conn | OSError] = []
    addresses: list[str] = []
    net.resolve(host, lambda found: addresses.extend(found if isinstance(found, tuple) else ()))
    clock.run()
    (address,) = addresses
    net.connect((address, port), answers.append)
    clock.run()
    return answers


def pair(clock: Clock, net: Net, backlog: int = 1) -> tuple[Conn, Conn]:
    """Return two connected ends: the one that connected, and the accepted one."""
    listener = net.listen(("server", 80), backlog)
    (client,) = ask(clock, net)
    server = listener.accept()
    listener.close()
    assert server is not None
    assert not isinstance(client, OSError)
    return client, server


def outcome(fn: Callable[..., object], *args: object) -> object:
    """Return the result of a call, or the class of its OSError, or the errno of a plain OSError."""
    try:
        return fn(*args)
    except OSError as error:
        return error.errno if type(error) is OSError else type(error)


class Transcript(Observer):
    """An observer that records every hook as text."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def opened(self, conn: object, local: str, remote: str) -> None:
        self.lines.append(f"opened {local} {remote}")

    def carried(self, conn: object, data: bytes) -> None:
        self.lines.append(f"carried {data!r}")

    def closed(self, conn: object, how: str) -> None:
        self.lines.append(f"closed {how}")
