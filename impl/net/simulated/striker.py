"""Which faults strike: they are drawn where a look-up or a connect begins, from the lane `faults`.

1.  Faults without a rule are drawn as `NetworkConditions` does it.  If none of them strikes, the rules draw one after
    the other, and the first that strikes is the only one.
2.  *Swarm* conditions draw, at the first use of the network, which rules are left out of the run (Groce and others,
    "Swarm Testing", ISSTA 2012): where every kind may strike, some hide others.
3.  From `faults_until_ms` on, nothing strikes any more: hosts return, and dripping data flows.  A connection that has
    become silent stays so.
4.  The faults of a host last for some seconds of virtual time; its connects and items in transit read that here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ...interfaces import Clockwork
from ...sim.choices import Choices
from .conditions import MS, NetworkConditions
from .faults import (
    CONNECTION_FAULTS,
    DELAYS_S,
    LIMIT_CONNECTIONS,
    OUTAGE_S_MAX,
    STREAM_FAULTS,
    STRIKES,
    Fault,
    FaultRule,
)

_S: Final = 1000 * MS


@dataclass(frozen=True, slots=True)
class Strike:
    """A fault of one connect: `after` segments if it is one of a stream, and `late_ns` later if it delays."""

    fault: Fault | None = None
    after: int = 0
    late_ns: int = 0

    @property
    def silences(self) -> bool:
        """Whether the handshake gets no answer."""
        return self.fault is Fault.DROP or (self.fault is Fault.SILENT and self.after == 0)


NO_STRIKE: Final = Strike()


@dataclass(slots=True)
class HostState:
    """Until when a host is down, and until when it is cut off, in virtual nanoseconds."""

    name: str
    down_until: int = 0
    cut_until: int = 0


class Striker:
    """The faults of one network."""

    def __init__(self, clock: Clockwork, choices: Choices, conditions: NetworkConditions) -> None:
        self._clock = clock
        self.choices = choices
        self._conditions = conditions
        self._hosts: dict[str, HostState] = {}
        self._drawn: tuple[FaultRule, ...] | None = None

    @property
    def over(self) -> bool:
        """Whether faults have stopped."""
        until = self._conditions.faults_until_ms
        return until is not None and self._clock.now >= until * MS

    def host(self, name: str) -> HostState:
        """The state of the host of that name."""
        return self._hosts.setdefault(name, HostState(name))

    def count(self, fault: Fault, host: str) -> None:
        """Count that `fault` has struck at a host."""
        self._conditions.tally[fault] += 1
        if self._clock.observer is not None:
            self._clock.observer.struck(host, fault.value)

    def lookup(self, name: str) -> bool:
        """Whether this look-up of a host that exists fails."""
        if self.over:
            return False
        fails = self._conditions.lookup_fails(name, self.choices) or any(
            self._strikes(rule, name) for rule in self._rules() if rule.fault is Fault.NO_SUCH_HOST
        )
        if fails:
            self.count(Fault.NO_SUCH_HOST, name)
        return fails

    def connect(self, name: str, address: str, connections: Callable[[], int]) -> Strike:
        """The fault of this connect to a host; `connections` counts those that are open there.

        A scripted fault may belong to the name or to the numeric address.
        """
        conditions = self._conditions
        scripted = address if address in conditions.scripted else name
        if self.over and scripted not in conditions.scripted:
            return NO_STRIKE
        if self.host(name).down_until > self._clock.now:
            self.count(Fault.REFUSED, name)
            return Strike(Fault.REFUSED)
        strike = Strike(*conditions.connection_fault(scripted, self.choices))
        if strike.fault is None and scripted not in conditions.scripted:
            fault = self._by_rule(name, connections)
            strike = NO_STRIKE if fault is None else self._strike(fault, name)
        # The others strike a stream, and are counted there.
        if strike.fault is not None and (strike.fault not in STREAM_FAULTS or strike.silences):
            self.count(strike.fault, name)
        return strike

    def _rules(self) -> tuple[FaultRule, ...]:
        """The rules of this run; a fault that `connection_fault` does not draw counts as one."""
        if self._drawn is None:
            plain = (*CONNECTION_FAULTS, Fault.NO_SUCH_HOST)
            conditions = self._conditions
            rules = [
                fault if isinstance(fault, FaultRule) else FaultRule(fault, conditions.fault_one_in)
                for fault in conditions.faults
                if fault not in plain
            ]
            if conditions.swarm:
                rules = [rule for rule in rules if self.choices.faults(2) == 0]
            self._drawn = tuple(rules)
        return self._drawn

    def _by_rule(self, name: str, connections: Callable[[], int]) -> Fault | None:
        for rule in self._rules():
            if rule.fault is Fault.NO_SUCH_HOST:
                continue
            if rule.fault is Fault.LIMIT and connections() < LIMIT_CONNECTIONS:
                continue
            if self._strikes(rule, name):
                return rule.fault
        return None

    def _strikes(self, rule: FaultRule, name: str) -> bool:
        return rule.concerns(name) and self.choices.faults(rule.one_in) == 1

    def _strike(self, fault: Fault, name: str) -> Strike:
        """Draw the rest of a fault."""
        if fault in STREAM_FAULTS:
            return Strike(fault, self.choices.faults(STRIKES))
        if fault is Fault.DELAY:
            return Strike(fault, late_ns=DELAYS_S[self.choices.faults(len(DELAYS_S))] * _S)
        if fault is Fault.REORDER:
            return Strike(fault, late_ns=3 * self._conditions.latency_ms_max * MS)
        if fault is Fault.OUTAGE:
            self.host(name).down_until = self._end()
        if fault is Fault.PARTITION:
            self.host(name).cut_until = self._end()
        return Strike(fault)

    def _end(self) -> int:
        """Draw when a fault of a host ends."""
        end = self._clock.now + (1 + self.choices.faults(OUTAGE_S_MAX)) * _S
        until = self._conditions.faults_until_ms
        return end if until is None else min(end, until * MS)
