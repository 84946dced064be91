"""A page for each rule: the output of `loopspec explain`, as Markdown with links; and the lists of all rules.

One list is by specification, one by topic.  A topic is a few words; one of them stands in the sentence or the name of a
rule.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from spec.kit.render.markdown import prose

from ..explain.entries import Entry, entries
from ..explain.page import Block, Code, ListItem, Sentence, head, parts
from .documents import SPECIFICATION
from .links import rule_page

INDEX: Final = "rules/index.md"


def pages(anchors: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the page of each rule and its text.

    Parameters:
        anchors: document#anchor of each heading of the specification.
    """
    stated = {match[0]: anchor for anchor in anchors if (match := re.search(r"(?<=#)[a-z]+-\d+", anchor))}
    for entry in entries().values():
        anchor = stated.get(entry.id.lower(), f"{SPECIFICATION}#promises")
        yield rule_page(entry.id), "\n".join(page(entry, anchor))


def page(entry: Entry, anchor: str) -> Iterator[str]:
    """Yield the lines of the page of a rule; `anchor` is document#anchor of its place in the specification."""
    yield f"# {entry.id}: {prose(entry.title)}"
    yield ""
    yield from markdown(head(entry))
    yield f"[In the specification](/{anchor}), with all others of its chapter; [all rules](/{INDEX})."
    yield ""
    for heading, blocks in parts(entry).items():
        yield f"## {heading}"
        yield ""
        yield from markdown(blocks)


def index() -> Iterator[str]:
    """Yield the lines of the page that lists all rules, specification by specification."""
    yield from ("# All rules", "")
    yield from (
        "By specification.  There are lists [by topic](/topics.md) and [by name of asyncio](/names.md), too.",
        "",
    )
    chapter = ""
    for entry in entries().values():
        if (name := entry.spec.name if entry.spec else "promises") != chapter:
            chapter = name
            yield from ("", f"## {chapter}", "")
        yield row(entry)


def row(entry: Entry) -> str:
    """Return a rule as an item of a list."""
    return f"- {entry.id}: {prose(entry.rule.sentence)}"


def markdown(blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of the blocks as Markdown."""
    before: Block | None = None
    for block in blocks:
        if isinstance(before, ListItem) and not isinstance(block, ListItem):
            yield ""
        before = block
        match block:
            case Sentence(text):
                yield from (prose(text), "")
            case ListItem(text):
                yield f"- {prose(text)}"
            case Code(text, language):
                yield from (f"```{language}", text.rstrip(), "```", "")
    yield ""


# --- topics -----------------------------------------------------------------------------------------------------------

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


def topics_page() -> Iterator[str]:
    """Yield the lines of the page of rules by topic."""
    by_topic: dict[str, list[Entry]] = {topic: [] for topic in TOPICS}
    for entry in entries().values():
        for topic in topics(entry):
            by_topic[topic].append(entry)
    yield from ("# Rules by topic", "", "A rule may be about several topics.", "")
    for topic, found in by_topic.items():
        yield from (f"## {topic}", "")
        yield from map(row, found)
        yield ""
