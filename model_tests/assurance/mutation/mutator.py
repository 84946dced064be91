"""The mutator: every small edit of a file that may change its behaviour.

Each method below handles one kind of node and yields edits of its exact span; all else in the file stays as it is, so
that lines, names, slots and the kinds of functions are those of the original.  Annotations, docstrings, decorators,
asserts, messages, imports, and the statements of modules and classes are left alone, but for true and false as values
of a class.

The same mutator serves both kinds of subject.  An effect of an action is an argument of `replace`, and an action is
dropped by a body that yields nothing.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import singledispatchmethod
from typing import Final

from .edit import Edit, Node, SourceFile, numbered

Function = ast.FunctionDef | ast.AsyncFunctionDef
#: Functions that return text for people, and those that only types call.
LEFT_ALONE: Final = {"__repr__", "__str__", "__class_getitem__"}
COMPARED: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
#: An operator and its inverse.
INVERSE: Final[dict[type[ast.operator], str]] = {ast.Add: "-", ast.Sub: "+"}
#: Statements that are replaced as they are: the kind of the edit, and the new one.
REPLACED: Final[dict[type[ast.stmt], tuple[str, str]]] = {
    ast.Delete: ("drop statement", "pass"), ast.Raise: ("drop raise", "pass"),
    ast.Break: ("break or continue", "continue"), ast.Continue: ("break or continue", "break"),
}  # fmt: skip
#: A name of a function or method, and a neighbour that takes the same arguments.
TWINS: Final = {
    "add": "discard", "all": "any", "any": "all", "append": "appendleft", "appendleft": "append", "discard": "add",
    "max": "min", "min": "max", "pop": "popleft", "popleft": "pop", "set_result": "set_exception",
}  # fmt: skip
#: Functions of numbers that give the same if their two arguments are swapped.
SYMMETRIC: Final = {"max", "min"}


def edits(file: str, text: bytes, *, left_alone: Callable[[Function], bool] = lambda _: False) -> list[Edit]:
    """Return all edits of a file with that text, in the order of the text, but for those of functions `left_alone`."""
    mutator = _Mutator(file, SourceFile(text), left_alone)
    return numbered(each for node in mutator.source.tree.body for each in mutator.definition(node, ()))


class _Mutator:
    def __init__(self, file: str, source: SourceFile, left_alone: Callable[[Function], bool]) -> None:
        self.file, self.source, self.left_alone = file, source, left_alone
        self.where = ""
        self.alike: dict[str, list[str]] = {}
        #: For each class, its names in capitals that the file uses: the members of an enumeration.
        self.members: dict[str, list[str]] = {}
        for node in ast.walk(source.tree):
            match node:
                case ast.Attribute(ast.Name(name), member) if member.isupper():
                    known = self.members.setdefault(name, [])
                    known += [member] if member not in known else []

    # --- Definitions -------------------------------------------------------------------------------------------------

    def definition(self, node: ast.stmt, outer: tuple[str, ...]) -> Iterator[Edit]:
        """Yield the edits of a function, or of the functions in a class; none of another statement."""
        if isinstance(node, ast.ClassDef):
            for each in node.body:
                yield from self.definition(each, (*outer, node.name))
                match each:
                    case ast.AnnAssign(value=ast.Constant(bool()) as value):
                        self.where = ".".join((*outer, node.name))
                        yield from self.of(value)
        elif (
            isinstance(node, Function)
            and node.name not in LEFT_ALONE
            and not is_overload(node)
            and not self.left_alone(node)
        ):
            yield from self.function(node, (*outer, node.name))

    def function(self, node: Function, path: tuple[str, ...]) -> Iterator[Edit]:
        kept, kept_alike = self.where, self.alike
        self.where, self.alike = ".".join(path), alike(node.args)
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
        if any(".action(" in ast.unparse(each) for each in node.decorator_list) and not is_guarded(body):
            yield self.edit("drop action", body[0], "yield from ()", body[-1])
        for each in [*node.args.defaults, *(d for d in node.args.kw_defaults if d)]:
            yield from self.within(each)
        for statement in body:
            yield from self.within(statement)
        self.where, self.alike = kept, kept_alike

    def within(self, node: ast.AST) -> Iterator[Edit]:
        """Yield the edits of a node and of those in it."""
        match node:
            case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.JoinedStr() | ast.arguments():
                return
            case ast.AnnAssign():
                inner: list[ast.AST] = [node.value] if node.value else []
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield from self.definition(node, tuple(self.where.split(".")))
                return
            case ast.If(test=ast.Name("TYPE_CHECKING")):
                return
            case ast.ExceptHandler():
                inner = list(node.body)
            case ast.Raise():
                inner = []
            case _:
                inner = list(ast.iter_child_nodes(node))
        yield from self.of(node)
        for each in inner:
            yield from self.within(each)

    def edit(self, kind: str, first: Node, new: str, last: Node | None = None) -> Edit:
        start = self.source.span(first)[0]
        old = self.source.of(first, last)
        return Edit(self.file, self.where, kind, old, new, 0, start, self.source.line(start))

    # --- Statements --------------------------------------------------------------------------------------------------

    @singledispatchmethod
    def of(self, node: ast.AST) -> Iterator[Edit]:
        """Yield the edits of a node, without those of the nodes in it."""
        return iter(())

    @of.register
    def _(self, node: ast.Expr) -> Iterator[Edit]:
        match node.value:
            case ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom():
                yield self.edit("drop statement", node, "pass")

    @of.register(ast.Delete)
    @of.register(ast.Raise)
    @of.register(ast.Break)
    @of.register(ast.Continue)
    def _(self, node: ast.stmt) -> Iterator[Edit]:
        kind, new = REPLACED[type(node)]
        yield self.edit(kind, node, new)

    @of.register
    def _(self, node: ast.Assign) -> Iterator[Edit]:
        if self.where.endswith("__init__"):
            return  # an attribute that is not there is noticed at its first use
        if any(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            yield self.edit("drop assignment", node, "pass")

    @of.register
    def _(self, node: ast.AugAssign) -> Iterator[Edit]:
        yield self.edit("drop update", node, "pass")
        if inverse := INVERSE.get(type(node.op)):
            yield self.edit(
                "flip update", node, f"{self.source.of(node.target)} {inverse}= {self.source.of(node.value)}"
            )

    @of.register
    def _(self, node: ast.Return) -> Iterator[Edit]:
        if node.value is None:
            yield self.edit("drop return", node, "pass")

    @of.register(ast.If)
    @of.register(ast.IfExp)
    @of.register(ast.While)
    def _(self, node: ast.If | ast.IfExp | ast.While) -> Iterator[Edit]:
        if not has_opposite(node.test):
            yield self.edit("negate", node.test, f"(not {self.source.grouped(node.test)})")
        yield self.edit("force", node.test, "False")
        if not isinstance(node, ast.While):
            yield self.edit("force", node.test, "True")

    @of.register
    def _(self, node: ast.ExceptHandler) -> Iterator[Edit]:
        if node.type is not None:
            whole = self.source.of(node.type) == "BaseException"
            yield self.edit("narrow except", node.type, "Exception" if whole else "ZeroDivisionError")

    # --- Expressions -------------------------------------------------------------------------------------------------

    @of.register
    def _(self, node: ast.BoolOp) -> Iterator[Edit]:
        here, other = (" and ", " or ") if isinstance(node.op, ast.And) else (" or ", " and ")
        parts = [self.source.grouped(value) for value in node.values]
        yield self.edit("and or or", node, f"({other.join(parts)})")
        for number in range(len(parts)):
            rest = parts[:number] + parts[number + 1 :]
            yield self.edit("drop part", node, f"({here.join(rest)})")

    @of.register
    def _(self, node: ast.Compare) -> Iterator[Edit]:
        if len(node.ops) == 1:
            a, b = self.source.grouped(node.left), self.source.grouped(node.comparators[0])
            yield self.edit("compare", node, f"({a} {COMPARED[type(node.ops[0])]} {b})")

    @of.register
    def _(self, node: ast.UnaryOp) -> Iterator[Edit]:
        if isinstance(node.op, ast.Not):
            yield self.edit("drop not", node, f"not not {self.source.grouped(node.operand)}")

    @of.register
    def _(self, node: ast.BinOp) -> Iterator[Edit]:
        if any(isinstance(each, ast.JoinedStr) or is_text(each) for each in (node.left, node.right)):
            return
        a, b = self.source.grouped(node.left), self.source.grouped(node.right)
        if isinstance(node.op, ast.Add | ast.Sub | ast.BitOr | ast.BitAnd):
            yield self.edit("drop operand", node, f"({a})")
        if type(node.op) in INVERSE and not is_collection(node.left) and not is_collection(node.right):
            yield self.edit("arithmetic", node, f"({a} {INVERSE[type(node.op)]} {b})")

    @of.register
    def _(self, node: ast.Constant) -> Iterator[Edit]:
        if isinstance(node.value, bool):
            yield self.edit("constant", node, str(not node.value))
        elif isinstance(node.value, int):
            yield self.edit("constant", node, str(node.value + 1))

    @of.register
    def _(self, node: ast.comprehension) -> Iterator[Edit]:
        for each in node.ifs:
            yield self.edit("drop filter", each, "True")

    @of.register
    def _(self, node: ast.Name) -> Iterator[Edit]:
        for other in self.alike.get(node.id, []):
            yield self.edit("swap names", node, other)

    @of.register
    def _(self, node: ast.Attribute) -> Iterator[Edit]:
        match node:
            case ast.Attribute(ast.Name(name), member) if len(known := self.members.get(name, [])) > 1:
                if member in known:
                    other = known[(known.index(member) + 1) % len(known)]
                    yield self.edit("other member", node, f"{name}.{other}")

    @of.register
    def _(self, node: ast.Call) -> Iterator[Edit]:
        yield from self.twin(node.func)
        yield from self.fewer_effects(node)
        match node.args:
            case [ast.Starred(), _] | [_, ast.Starred()] | [ast.Constant(), _]:
                pass
            case [_, _] if self.source.of(node.func) in SYMMETRIC:
                pass
            case [a, b] if (here := self.source.of(a)) != (there := self.source.of(b)):
                yield self.edit("swap arguments", a, f"{there}, {here}", b)

    def twin(self, function: ast.expr) -> Iterator[Edit]:
        match function:
            case ast.Attribute(value, name) if name in TWINS:
                yield self.edit("twin", function, f"{self.source.of(value)}.{TWINS[name]}")
            case ast.Name(name) if name in TWINS:
                yield self.edit("twin", function, TWINS[name])

    def fewer_effects(self, call: ast.Call) -> Iterator[Edit]:
        """Yield `replace` without one of the fields that it changes."""
        match call:
            case ast.Call(ast.Name("replace"), [state]):
                fields = [f"{each.arg}={self.source.of(each.value)}" for each in call.keywords]
                for number in range(len(fields)):
                    rest = [self.source.of(state), *fields[:number], *fields[number + 1 :]]
                    yield self.edit("drop effect", call, f"replace({', '.join(rest)})")


def has_opposite(test: ast.expr) -> bool:
    """Return whether another edit of a condition negates it: that of its operator."""
    match test:
        case ast.UnaryOp(ast.Not()):
            return True
        case ast.Compare(ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn()]):
            return True
    return False


def is_guarded(body: Sequence[ast.stmt]) -> bool:
    """Return whether a body is one condition that can be forced to be false."""
    return isinstance(body[0], ast.If) and len(body) == 1 and not body[0].orelse


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_collection(node: ast.expr) -> bool:
    """Return whether an expression is a tuple, set or map as it is written, or a part of one."""
    whole = ast.Tuple | ast.Set | ast.Dict | ast.SetComp | ast.DictComp | ast.List | ast.ListComp
    return isinstance(node, whole) or (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice))


def is_overload(node: Function) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "overload" for each in node.decorator_list)


def alike(arguments: ast.arguments) -> dict[str, list[str]]:
    """Return for each parameter the others of its type."""
    types = {each.arg: ast.unparse(each.annotation) for each in _all(arguments) if each.annotation is not None}
    return {name: [other for other, its in types.items() if its == of and other != name] for name, of in types.items()}


def _all(arguments: ast.arguments) -> Sequence[ast.arg]:
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
