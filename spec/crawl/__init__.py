"""The crawl, a least fixpoint; `fifo`: the chapter's loop, which refines it; `sites`: small sites."""

from .fifo import crawl_fifo
from .models import crawl_model, fifo_model
from .sites import as_met, site
from .specification import AnswerKind, Const, Crawl, Phase, Url, Worker, crawl, least

__all__ = [
    "AnswerKind",
    "Const",
    "Crawl",
    "Phase",
    "Url",
    "Worker",
    "as_met",
    "crawl",
    "crawl_fifo",
    "crawl_model",
    "fifo_model",
    "least",
    "site",
]
