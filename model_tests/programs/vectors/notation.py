"""Programs of the format, written as Python: the readable form of the catalogue.

A text is Python with `main` as its top level; `async def` defines a body, `def` a callback.  It is parsed, never run:
each statement and call becomes the list that FORMAT.md describes.  The differences from Python:

    t = go(work)        loop.create_task(work())            turn(2)     two loop iterations
    f = future()        loop.create_future()                see(f, g)   look at f, then at g
    del f               forget f, and collect garbage       yield x     hand x to the loop, as a foreign coroutine might

A call that is a statement of its own, or is awaited as one, is noted; `x = ...` is not, and cannot await.
`with suppress(E): ...` is `try: ...` with `except E: pass`.
"""

import ast
from collections.abc import Iterator, Sequence
from typing import Any, cast

# `Any`: JSON, as FORMAT.md describes it.
Program = dict[str, Any]


def program(text: str) -> Program:
    """Return the program of a text.

    Raises:
        SyntaxError: it is not Python, or contains something that the format cannot express.
    """
    tree = ast.parse(text)
    bodies = {node.name: node.body for node in tree.body if isinstance(node, ast.AsyncFunctionDef)}
    callbacks = {node.name: node.body for node in tree.body if isinstance(node, ast.FunctionDef)}
    main = [node for node in tree.body if not isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef)]
    writer = _Writer(frozenset(bodies))
    written: Program = {
        "main": writer.block(main),
        "bodies": {name: writer.block(body) for name, body in bodies.items()},
        "callbacks": {name: writer.calls(body) for name, body in callbacks.items()},
    }
    if twice := sorted(writer.things & (bodies.keys() | callbacks.keys())):
        raise SyntaxError(f"both a thing and a body or a callback: {', '.join(twice)}")
    return written


class _Writer:
    def __init__(self, bodies: frozenset[str]) -> None:
        self.bodies = bodies
        self.things: set[str] = set()  # all that is given a value

    def block(self, nodes: Sequence[ast.stmt]) -> list[Any]:
        return [made for node in nodes if not isinstance(node, ast.Pass) for made in self.statements(node)]

    def calls(self, nodes: Sequence[ast.stmt]) -> list[Any]:
        """Return the expressions of a callback."""
        return [self.expression(cast(ast.Expr, node).value) for node in nodes if not isinstance(node, ast.Pass)]

    def statements(self, node: ast.stmt) -> Iterator[list[Any]]:
        """Yield the statements of one that may be several: `f, g = future(), future()` and `see(f, g)`."""
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=things)], value=ast.Tuple(elts=values)):
                names = {thing.id for thing in things if isinstance(thing, ast.Name)}
                used = {of.id for value in values for of in ast.walk(value) if isinstance(of, ast.Name)}
                if len(things) != len(values) or names & used:
                    raise SyntaxError(f"the format cannot say: {ast.unparse(node)}")
                for thing, value in zip(things, values, strict=True):
                    yield self.statement(ast.copy_location(ast.Assign(targets=[thing], value=value), node))
            case ast.Expr(value=ast.Call(func=ast.Name(id="see") as see, args=args, keywords=[])):
                for arg in args:
                    yield self.statement(ast.Expr(ast.Call(func=see, args=[arg], keywords=[])))
            case _:
                yield self.statement(node)

    def statement(self, node: ast.stmt) -> list[Any]:
        match node:
            case ast.Expr(value=ast.Await(value=of)):
                return ["await", self.expression(of)]
            case ast.Expr(value=ast.Yield(value=of)):
                return ["yield", None if of is None else self.expression(of)]
            case ast.Expr(value=ast.Call(func=ast.Name(id="turn"), args=args)):
                return ["turn", *map(self.expression, args)]
            case ast.Expr(value=ast.Call(func=ast.Name(id="see"), args=[ast.Name(id=name)])):
                return ["see", name]
            case ast.Expr(value=of):
                return ["do", self.expression(of)]
            case ast.Assign(targets=[ast.Name(id=name)], value=of):
                return ["let", self.thing(name), self.expression(of)]
            case ast.Delete(targets=[ast.Name(id=name)]):
                return ["forget", name]
            case ast.Return(value=of):
                return ["return", None if of is None else self.expression(of)]
            case ast.Raise(exc=None):
                return ["raise"]
            case ast.Raise(exc=ast.Name(id=name)):
                return ["raise", name]
            case ast.Raise(exc=ast.Call(func=ast.Name(id=name), args=args)):
                return ["raise", name, *map(self.expression, args)]
            case ast.AsyncWith(items=[ast.withitem(context_expr=of, optional_vars=None)], body=body):
                return ["with", self.expression(of), None, self.block(body)]
            case ast.AsyncWith(items=[ast.withitem(context_expr=of, optional_vars=ast.Name(id=name))], body=body):
                return ["with", self.expression(of), self.thing(name), self.block(body)]
            case ast.With(
                items=[ast.withitem(ast.Call(ast.Name("suppress"), [ast.Name(id=name)], []), None)], body=body
            ):
                return ["try", self.block(body), [[name, []]]]
            case ast.For(target=ast.Name(id=name), iter=of, body=body, orelse=[]):
                return ["for", self.thing(name), self.expression(of), self.block(body)]
            case ast.AsyncFor(target=ast.Name(id=name), iter=of, body=body, orelse=[]):
                return ["async for", self.thing(name), self.expression(of), self.block(body)]
            case ast.Try(body=body, handlers=handlers, orelse=[], finalbody=last):
                made = ["try", self.block(body), [self.handler(handler) for handler in handlers]]
                return [*made, self.block(last)] if last else made
        raise SyntaxError(f"the format cannot say: {ast.unparse(node)}")

    def thing(self, name: str) -> str:
        self.things.add(name)
        return name

    def given(self, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> list[Any]:
        """Return the arguments of a call; those with names are one dictionary, the last."""
        named = {str(keyword.arg): self.expression(keyword.value) for keyword in keywords}
        return [*map(self.expression, args), *([named] if named else [])]

    def handler(self, node: ast.ExceptHandler) -> list[Any]:
        if not isinstance(node.type, ast.Name):
            raise SyntaxError(f"the format cannot say: {ast.unparse(node)}")
        return [node.type.id, self.block(node.body)]

    def expression(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return -value
            case ast.Name(id=name):
                return name
            case ast.BinOp(ast.Call(ast.Attribute(ast.Name("loop"), "time")), ast.Add(), right=delay):
                return ["later", self.expression(delay)]
            case ast.List(elts=of):
                return ["list", *map(self.expression, of)]
            case ast.Call(func=ast.Name(id="go"), args=[ast.Name(id=name)]) if name in self.bodies:
                return ["loop.create_task", ["body", name]]
            case ast.Call(func=ast.Name(id="future"), args=[]):
                return ["loop.create_future"]
            case ast.Call(func=ast.Name(id=name), args=[]) if name in self.bodies:
                return ["body", name]
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                return [name, *self.given(args, keywords)]
            case ast.Call(func=ast.Attribute(ast.Name(id=of), name), args=args, keywords=keywords):
                return [f"{of}.{name}", *self.given(args, keywords)]
        raise SyntaxError(f"the format cannot say: {ast.unparse(node)}")
