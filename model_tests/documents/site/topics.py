"""Rules by topic: a topic is a few words; one of them stands in the sentence or the name of a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..explain.entries import Entry, entries
from .rules import row

#: Capitals that are no family of rules.
ENGLISH: Final = ("URL*",)
#: Each topic with the words that it is about; `*` stands for the rest of a word, and capitals for a family of rules.
TOPICS: Final = {
    "Cancelling": "cancel* uncancel* withdraw* CANCEL",
    "Waking up": "wake* woke* signal* notif* no_lost*",
    "Order": "order* fifo oldest first next newest last least behind before after turn turns",
    "Waiting, and coming to rest": "wait* idle rest* block* comes ends end ended park*",
    "Results and errors": "result* error* exception* raise* fail* refuse* answer* return* StopIteration",
    "Futures": "future* done resolve* FUT CHAIN AWAIT",
    "Callbacks and the loop": "callback* call_soon call_at handle* loop LOOP iteration*",
    "Tasks": "task tasks coroutine* step* TASK HOP START eager*",
    "Queues": "queue* item* get put getter* putter* buffer QUEUE",
    "Joining": "join* unfinished task_done",
    "Locks, semaphores, permits": "lock* semaphore* permit* acquire* release* LOCK SEM",
    "Conditions and events": "condition* notify* event* COND EVENT",
    "Barriers": "barrier* BARRIER",
    "Shielding": "shield* SHIELD",
    "Timeouts and timers": "timeout* timer* deadline* due WAITFOR TIMEOUT SLEEP expire* time",
    "Groups of tasks": "group* scope* gather* GROUP SCOPE GATHER as_completed ASDONE WAIT",
    "Contexts and names": "context* name",
    "Running a program": "run runs runner* RUN KeyboardInterrupt SystemExit",
    "Shutting down": "shut* close* abort*",
    "Connections": "byte* receive* send* connection* reset* STREAM",
    "The crawl": "URL* page* crawl* redirect* link* site CRAWL FIFO",
    "What a model may contain": "model* some_*",
}


def topics(entry: Entry) -> list[str]:
    """Return the topics of a rule, in the order of TOPICS."""
    return [topic for topic, words in TOPICS.items() if any(is_about(entry, word) for word in words.split())]


def is_about(entry: Entry, word: str) -> bool:
    """Whether a rule has a word of a topic, or is of the family."""
    if word.isupper() and word not in ENGLISH:
        return word == entry.family
    pattern = re.escape(word).replace(r"\*", r"\w*")
    return re.search(rf"\b{pattern}\b", f"{entry.name} {entry.rule.sentence}", re.IGNORECASE) is not None


def page() -> Iterator[str]:
    """Yield the lines of the page."""
    by_topic: dict[str, list[Entry]] = {topic: [] for topic in TOPICS}
    for entry in entries().values():
        for topic in topics(entry):
            by_topic[topic].append(entry)
    yield from ("# Rules by topic", "", "A rule may be about several topics.", "")
    for topic, found in by_topic.items():
        yield from (f"## {topic}", "")
        yield from map(row, found)
        yield ""
