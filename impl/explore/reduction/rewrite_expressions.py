"""Rewrite expressions of a program, so that they call the helpers that record accesses (expressions.py).

A value that is only *moved* (assigned, passed, returned) is not looked at; in every other place the default is that it
is.  So an expression that this module does not know is treated with too much care, not too little.
"""

from __future__ import annotations

import ast
from typing import Any, Final

from .scopes import waits

#: Functions that see the caller's variables: they must be called by the program itself.
_DIRECT: Final = frozenset({"locals", "globals", "vars", "eval", "exec", "dir", "breakpoint", "__import__"})


class ExpressionRewriter(ast.NodeTransformer):
    """Rewrites the expressions within functions; `shared`: the variables that functions share.

    A `visit_` method of an expression returns it as it is *moved*.  `looked`, `tested` and `iterated` add the use
    of the value.
    """

    def __init__(self, shared: frozenset[str]) -> None:
        self._shared = shared
        self._depth = 0  # of functions
        self._classes: list[str] = []
        self._functions: list[str] = []
        self._temporaries = 0

    def visit(self, node: ast.AST) -> Any:
        """Code outside of functions runs no more; the functions in it do."""
        if self._depth or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            return super().visit(node)
        return super().generic_visit(node)

    # --- building ----------------------------------------------------------------------------------------

    @staticmethod
    def _run(helper: str, *args: ast.expr) -> ast.Call:
        return ast.Call(ast.Name(f"_ls_{helper}", ast.Load()), list(args), [])

    def _word(self, name: str) -> ast.Constant:
        """The name of an attribute, as the class around it mangles it."""
        if self._classes and name.startswith("__") and not name.endswith("__"):
            name = f"_{self._classes[-1].lstrip('_')}{name}"
        return ast.Constant(name)

    def moved(self, node: ast.expr) -> ast.expr:
        """An expression with a value that goes somewhere else, and is not looked at."""
        result = self.visit(node)
        assert isinstance(result, ast.expr)
        return ast.copy_location(result, node)

    def looked(self, node: ast.expr) -> ast.expr:
        """An expression with a value that is looked at, through and through."""
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.Compare):
            return self.moved(node)
        return ast.copy_location(self._run("used", self.moved(node)), node)

    def tested(self, node: ast.expr) -> ast.expr:
        """An expression in a condition."""
        if isinstance(node, ast.Constant | ast.Compare):
            return self.moved(node)
        return ast.copy_location(self._run("tested", self.moved(node)), node)

    def iterated(self, node: ast.expr, helper: str = "each") -> ast.expr:
        """An expression that is iterated over."""
        return ast.copy_location(self._run(helper, self.moved(node)), node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Every expression below is looked at, unless a method of this class knows better."""
        if not isinstance(node, ast.expr):
            return super().generic_visit(node)
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                setattr(node, field, self.looked(value))
            elif isinstance(value, list):
                value[:] = [self.looked(each) if isinstance(each, ast.expr) else self.visit(each) for each in value]
        return node

    # --- names, attributes, items ------------------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self._shared:
            return self._run("variable", ast.Constant(node.id), node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        value = self.moved(node.value)
        if isinstance(node.ctx, ast.Load):
            return self._run("attribute", value, self._word(node.attr))
        return ast.Attribute(self._run("setting", value, self._word(node.attr)), node.attr, node.ctx)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        value, key = self.moved(node.value), self.moved(node.slice)
        if isinstance(node.ctx, ast.Load):
            return self._run("item", value, key)
        return ast.Subscript(self._run("place", value, key), ast.Constant(0), node.ctx)

    def visit_Slice(self, node: ast.Slice) -> ast.expr:
        parts = [
            ast.Constant(None) if part is None else self.moved(part) for part in (node.lower, node.upper, node.step)
        ]
        return self._run("slice", *parts)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        node.value = self.moved(node.value)
        if node.target.id not in self._shared:
            return node
        both = ast.Tuple([node, self._run("assigned", ast.Constant(node.target.id))], ast.Load())
        return ast.Subscript(both, ast.Constant(0), ast.Load())

    # --- operators ---------------------------------------------------------------------------------------

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        if isinstance(node.left, ast.Constant) and isinstance(node.right, ast.Constant):
            return node
        return self._run("binary", ast.Constant(type(node.op).__name__), self.moved(node.left), self.moved(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        node.operand = self.tested(node.operand) if isinstance(node.op, ast.Not) else self.looked(node.operand)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        *tests, last = node.values
        node.values = [*map(self.tested, tests), self.moved(last)]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        node.test, node.body, node.orelse = (
            self.tested(node.test),
            self.moved(node.body),
            self.moved(node.orelse),
        )
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if len(node.ops) > 1:
            late = waits(*node.comparators)
            node.left = self.looked(node.left)
            node.comparators = [self.looked(each) for each in node.comparators]
            return self._run("after_await", node) if late else node
        op, left, right = node.ops[0], self.moved(node.left), self.moved(node.comparators[0])
        if isinstance(op, ast.Is | ast.IsNot):
            return ast.Compare(left, [op], [right])
        if isinstance(op, ast.In):
            return self._run("contains", left, right)
        if isinstance(op, ast.NotIn):
            return ast.UnaryOp(ast.Not(), self._run("contains", left, right))
        return self._run("compare", ast.Constant(type(op).__name__), left, right)

    # --- displays and comprehensions -----------------------------------------------------------------------

    def visit_Starred(self, node: ast.Starred) -> ast.expr:
        load = isinstance(node.ctx, ast.Load)
        node.value = self.iterated(node.value) if load else self.moved(node.value)
        return node

    def _display(self, node: ast.List | ast.Set | ast.Tuple) -> ast.expr:
        node.elts = [self.moved(each) for each in node.elts]
        loaded = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        return self._run("new", node) if loaded and not isinstance(node, ast.Tuple) else node

    visit_List = visit_Set = visit_Tuple = _display  # noqa: N815

    def visit_Dict(self, node: ast.Dict) -> ast.expr:
        pairs = zip(node.keys, node.values, strict=True)
        node.values = [self.iterated(value) if key is None else self.moved(value) for key, value in pairs]
        node.keys = [None if key is None else self.moved(key) for key in node.keys]
        return self._run("new", node)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> ast.expr:
        later = waits(node) or isinstance(node, ast.GeneratorExp)
        for part in node.generators:
            helper = "each_later" if part.is_async else "steps" if later else "each"
            part.target = self.moved(part.target)
            part.iter = self.iterated(part.iter, helper)
            part.ifs = [self.tested(test) for test in part.ifs]
        if isinstance(node, ast.DictComp):
            node.key, node.value = self.moved(node.key), self.moved(node.value)
        else:
            node.elt = self.moved(node.elt)
        return self._run("new", node)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension  # noqa: N815

    # --- calls, functions, waiting -------------------------------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.expr:
        fn = node.func
        late = waits(*node.args, *(keyword.value for keyword in node.keywords))
        args = [self.moved(arg) for arg in node.args]
        keywords = [
            ast.keyword(each.arg, self.moved(each.value) if each.arg else self.iterated(each.value))
            for each in node.keywords
        ]
        if isinstance(fn, ast.Name) and fn.id == "super":
            return ast.Call(fn, args, keywords)
        if isinstance(fn, ast.Name) and fn.id in _DIRECT:
            return self._run("unknown", ast.Call(fn, args, keywords))
        if isinstance(fn, ast.Attribute) and not late:
            head = [self.moved(fn.value), self._word(fn.attr)]
            return ast.Call(ast.Name("_ls_method", ast.Load()), [*head, *args], keywords)
        return ast.Call(ast.Name("_ls_call", ast.Load()), [self.moved(fn), *args], keywords)

    def visit_Lambda(self, node: ast.Lambda) -> ast.expr:
        self._defaults(node.args)
        self._depth += 1
        node.body = self.moved(node.body)
        self._depth -= 1
        return node

    def visit_Await(self, node: ast.Await) -> ast.expr:
        called = isinstance(node.value, ast.Call)
        node.value = self.moved(node.value) if called else self._run("awaited", self.moved(node.value))
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.expr:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.looked(part.value)
                if part.format_spec is not None:
                    self.visit(part.format_spec)
        return node

    def visit_Yield(self, node: ast.Yield) -> ast.expr:
        if node.value is not None:
            node.value = self.moved(node.value)
        return node

    def visit_YieldFrom(self, node: ast.YieldFrom) -> ast.expr:
        called = isinstance(node.value, ast.Call)
        node.value = self.moved(node.value) if called else self._run("unknown", self.moved(node.value))
        return node

    def _defaults(self, args: ast.arguments) -> None:
        args.defaults = [self.moved(each) for each in args.defaults]
        args.kw_defaults = [None if each is None else self.moved(each) for each in args.kw_defaults]
