"""The notebook of the documentation: run without Jupyter, as its kernel would, and shown as a page.

Jupyter runs a cell while its own loop runs, and names it `Cell In[1]`; the lines of a cell are in `linecache` only.

    python -m model_tests.documents.site.notebook      run its cells, and write their outputs into it
"""

import ast
import asyncio
import inspect
import json
import linecache
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeAlias

from impl.bridges.asyncio.run import run, simulate
from impl.explore import explore

#: A notebook, a cell or an output: JSON, as nbformat 4 describes it.
Json: TypeAlias = dict[str, Any]

FILE: Final = Path(__file__).with_name("notebook.ipynb")
#: The functions of the wheel's package that a cell may use.
_FACADE: Final = {"explore": explore, "run": run, "simulate": simulate}


def executed(notebook: Json) -> Json:
    """Return the notebook with the outputs of its cells, which run in order, each while a loop runs."""
    facade, cells = ModuleType("loopspec"), ModuleType("cells")
    vars(facade).update(_FACADE)
    before = dict(sys.modules)
    sys.modules.update(loopspec=facade, cells=cells)
    try:
        return {**notebook, "cells": asyncio.run(_cells(notebook["cells"], vars(cells)))}
    finally:
        for name in ("loopspec", "cells"):
            sys.modules.pop(name)
        sys.modules.update(before)


async def _cells(cells: Sequence[Json], names: Json) -> list[Json]:
    made, number = [], 0
    for cell in cells:
        if cell["cell_type"] == "code":
            number += 1
            outputs = [each async for each in _outputs("".join(cell["source"]), number, names)]
            cell = {**cell, "execution_count": number, "outputs": outputs}
        made.append(cell)
    return made


async def _outputs(source: str, number: int, names: Json) -> Any:  # an asynchronous iterator of Json
    """Run a cell: its printed text is an output, and so is the value of an expression at its end."""
    file = f"Cell In[{number}]"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    tree = ast.parse(source, file)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with redirect_stdout(StringIO()) as out:
        await _run(tree, file, names)
        if isinstance(last, ast.Expr):
            value = await _run(ast.Expression(last.value), file, names)
    if out.getvalue():
        yield {"name": "stdout", "output_type": "stream", "text": _lines(out.getvalue())}
    if value is not None:
        data = {"text/plain": _lines(repr(value))}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = _lines(value._repr_html_())
        yield {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}


async def _run(tree: ast.Module | ast.Expression, file: str, names: Json) -> Any:
    mode = "exec" if isinstance(tree, ast.Module) else "eval"
    code = compile(tree, file, mode, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    value = eval(code, names)
    return await value if inspect.iscoroutine(value) and code.co_flags & inspect.CO_COROUTINE else value


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def markdown(text: str) -> str:
    """Return a notebook as a page of the site: a picture as it is, the rest as text."""
    return "\n\n".join(part for cell in json.loads(text)["cells"] for part in _parts(cell)) + "\n"


def _parts(cell: Json) -> Iterator[str]:
    source = "".join(cell["source"])
    yield source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        if "text/html" in data:
            yield "".join(data["text/html"])
        else:
            yield f"```text\n{''.join(output.get('text') or data['text/plain']).rstrip()}\n```"


if __name__ == "__main__":
    made = executed(json.loads(FILE.read_text(encoding="utf-8")))
    FILE.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
