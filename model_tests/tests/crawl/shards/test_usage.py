"""`--shards N` and the options that do not go with it: one line, before anything is fetched."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import pytest

from impl.crawl import command, simulate


@pytest.mark.parametrize(
    ("main", "argv", "says"),
    [
        (command.main, ["a.test", "--shards", "0"], "--shards: a number from 1 to 1000"),
        (command.main, ["a.test", "--shards", "2", "--max-pages", "9"], "--shards: leave out --max-pages,"),
        (command.main, ["a.test", "--shards", "2", "--max-hosts", "9"], "--shards: leave out --max-hosts,"),
        (command.main, ["a.test", "--shards", "2", "--save", "x"], "--shards: leave out --save,"),
        (command.main, ["a.test", "--dask", "x"], "--dask: name by --shards the number of shards"),
        (simulate.main, ["--dask", "x"], "--dask: name by --shards the number of shards"),
        (simulate.main, ["--shards", "2", "-v"], "--shards: leave out --verbose,"),
        (simulate.main, ["--shards", "2", "--token", "x"], "--shards: leave out --token,"),
    ],
)
def test_what_does_not_go_together_is_one_line(
    main: Callable[[list[str]], int], argv: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert says in err


def test_a_dask_cluster_needs_its_library(capsys: pytest.CaptureFixture[str]) -> None:
    if find_spec("distributed") is not None:
        pytest.skip("not run: distributed is installed")
    assert command.main(["a.test", "--shards", "2", "--dask", "127.0.0.1:1"]) == 2
    assert "--dask: needs distributed: pip install" in capsys.readouterr().err
