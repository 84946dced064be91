"""Rewrite files of the program, so that they record their accesses to its state, as pytest rewrites assert.

1.  The expressions of functions call helpers that record (rewrite_expressions.py); a statement that sets a variable
    which functions share is followed by a note, in the same step.
2.  Code of the module outside of functions is not rewritten: it runs once, before every run.
3.  Only files under test are rewritten, and only on request (program.py).
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from ...sim.garbage import parsed
from .rewrite_expressions import ExpressionRewriter
from .scopes import shared_variables, stored_names, waits


def rewrite(text: str, path: str) -> ast.Module:
    """The syntax tree of a file, rewritten."""
    tree = Rewriter(shared_variables(text, path)).visit(parsed(text, path))
    assert isinstance(tree, ast.Module)
    return ast.fix_missing_locations(tree)


#: Special methods with Python's use of their results.
RETURNED: Final = {
    **dict.fromkeys(("__iter__", "__reversed__", "__await__"), "returned"),
    **dict.fromkeys(("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__contains__"), "tested"),
}


class Rewriter(ExpressionRewriter):
    """Rewrites the functions of a module."""

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST | list[ast.AST]:
        self._defaults(node.args)
        node.decorator_list = [self.moved(each) for each in node.decorator_list]
        self._depth += 1
        self._functions.append(node.name)
        node.body = self._block(node.body)
        self._functions.pop()
        self._depth -= 1
        if self._classes and node.name == "__init__" and node.args.args:
            self._begin(node, self._run("constructed", ast.Name(node.args.args[0].arg, ast.Load())))
        elif self._classes and node.name == "__del__":
            self._begin(node, self._run("died"))
        return self._noted(node, [node.name])

    @staticmethod
    def _begin(node: ast.FunctionDef | ast.AsyncFunctionDef, call: ast.expr) -> None:
        """Let the function begin with a call."""
        at = 1 if ast.get_docstring(node, False) is not None else 0
        node.body.insert(at, ast.copy_location(ast.Expr(call), node))

    visit_FunctionDef = visit_AsyncFunctionDef = _function  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST | list[ast.AST]:  # noqa: N802
        node.bases = [self.moved(base) for base in node.bases]
        node.decorator_list = [self.moved(each) for each in node.decorator_list]
        self._classes.append(node.name)
        node.body = self._block(node.body)
        self._classes.pop()
        node.decorator_list.insert(0, ast.Name("_ls_own_class", ast.Load()))
        return self._noted(node, [node.name])

    # --- statements --------------------------------------------------------------------------------------

    def _block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for statement in body:
            got = self.visit(statement)
            result += got if isinstance(got, list) else [got]
        return result

    def _notes(self, names: Sequence[str], near: ast.AST) -> list[ast.stmt]:
        """Statements that record that variables were set."""
        if not self._depth:
            return []
        shared = [name for name in dict.fromkeys(names) if name in self._shared]
        return [ast.copy_location(ast.Expr(self._run("assigned", ast.Constant(name))), near) for name in shared]

    def _noted(self, node: ast.stmt, names: Sequence[str], both: bool = False) -> ast.AST | list[ast.AST]:
        """The statement, and after it (`both`: before it, too) the notes for the variables that it sets."""
        notes = self._notes(names, node)
        return [*(notes if both else ()), node, *notes] if notes else node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.AST]:  # noqa: N802
        names = stored_names(*node.targets)
        unpacks = any(isinstance(target, ast.Tuple | ast.List) for target in node.targets)
        display = isinstance(node.value, ast.Tuple | ast.List)
        node.value = self.iterated(node.value) if unpacks and not display else self.moved(node.value)
        node.targets = [self.moved(target) for target in node.targets]
        return self._noted(node, names, both=len(names) > 1)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | list[ast.AST]:  # noqa: N802
        names = stored_names(node.target) if node.value is not None else []
        if node.value is not None:
            node.value = self.moved(node.value)
            target = self.moved(node.target)
            assert isinstance(target, ast.Name | ast.Attribute | ast.Subscript)
            node.target = target
        return self._noted(node, names)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.AST]:  # noqa: N802
        operator, target = ast.Constant(type(node.op).__name__), node.target
        if isinstance(target, ast.Name):
            names = [target.id]
            old: ast.expr = self.visit_Name(ast.copy_location(ast.Name(target.id, ast.Load()), target))
            place: ast.expr = target
        else:
            names = []
            thing, keep = self._kept(self.moved(target.value))
            if isinstance(target, ast.Attribute):
                old = self._run("attribute", keep, self._word(target.attr))
                place = ast.Attribute(self._run("setting", thing, self._word(target.attr)), target.attr, ast.Store())
            else:
                key, keep_key = self._kept(self.moved(target.slice))
                old = self._run("item", keep, keep_key)
                place = ast.Subscript(self._run("place", thing, key), ast.Constant(0), ast.Store())
        value = self._run("inplace", operator, old, self.moved(node.value))
        return self._noted(ast.copy_location(ast.Assign([place], value), node), names)

    def _kept(self, value: ast.expr) -> tuple[ast.expr, ast.expr]:
        """A variable of our own, and an expression that sets it to `value` and has that value."""
        self._temporaries += 1
        name = f"_ls_{self._temporaries}"
        return ast.Name(name, ast.Load()), ast.NamedExpr(ast.Name(name, ast.Store()), value)

    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.AST]:  # noqa: N802
        names = stored_names(*node.targets)
        node.targets = [self.moved(target) for target in node.targets]
        return self._noted(node, names)

    def _import(self, node: ast.Import | ast.ImportFrom) -> ast.AST | list[ast.AST]:
        return self._noted(node, [(alias.asname or alias.name).split(".")[0] for alias in node.names])

    visit_Import = visit_ImportFrom = _import  # noqa: N815

    def visit_Return(self, node: ast.Return) -> ast.AST:  # noqa: N802
        if node.value is not None:
            helper = RETURNED.get(self._functions[-1])
            node.value = self.iterated(node.value, helper) if helper else self.moved(node.value)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:  # noqa: N802
        node.value = self.moved(node.value)
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:  # noqa: N802
        node.exc = None if node.exc is None else self.moved(node.exc)
        node.cause = None if node.cause is None else self.moved(node.cause)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:  # noqa: N802
        node.test = self.tested(node.test)
        node.msg = None if node.msg is None else self.looked(node.msg)
        return node

    def _if(self, node: ast.If | ast.While) -> ast.AST:
        node.test = self.tested(node.test)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        return node

    visit_If = visit_While = _if  # noqa: N815

    def _for(self, node: ast.For | ast.AsyncFor) -> ast.AST:
        names = stored_names(node.target)
        later = waits(*node.body, *node.orelse)
        node.body, node.orelse = self._block(node.body), self._block(node.orelse)
        helper = "each_later" if isinstance(node, ast.AsyncFor) else "steps" if later else "each"
        node.iter = self.iterated(node.iter, helper)
        node.target = self.moved(node.target)
        node.body[:0] = self._notes(names, node)
        return node

    visit_For = visit_AsyncFor = _for  # noqa: N815

    def _with(self, node: ast.With | ast.AsyncWith) -> ast.AST:
        names = stored_names(*(part.optional_vars for part in node.items))
        node.body = self._block(node.body)
        for part in node.items:
            part.context_expr = self.iterated(part.context_expr, "entered")
            if part.optional_vars is not None:
                part.optional_vars = self.moved(part.optional_vars)
        node.body[:0] = self._notes(names, node)
        return node

    visit_With = visit_AsyncWith = _with  # noqa: N815

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:  # noqa: N802
        node.body = self._block(node.body)
        node.type = None if node.type is None else self.moved(node.type)
        node.body[:0] = self._notes([node.name] if node.name else [], node)
        return node

    def visit_Match(self, node: ast.Match) -> ast.AST:  # noqa: N802
        cases = []
        thing, node.subject = self._kept(self.iterated(node.subject, "matched"))
        for case in node.cases:
            if (looks := self._looks(case.pattern)).elts:
                tried = ast.match_case(ast.MatchAs(), self._run("tried", thing, looks), [ast.Pass()])
                cases.append(ast.copy_location(tried, case.pattern))
                ast.copy_location(tried.guard, case.pattern)  # type: ignore[type-var]  # it has one
            cases.append(case)
            names = [
                each.name
                for each in ast.walk(case.pattern)
                if isinstance(each, ast.MatchAs | ast.MatchStar) and each.name
            ]
            names += [each.rest for each in ast.walk(case.pattern) if isinstance(each, ast.MatchMapping) and each.rest]
            case.body = self._block(case.body)
            case.guard = None if case.guard is None else self.tested(case.guard)
            case.body[:0] = self._notes(names, case.pattern)
        node.cases = cases
        return node

    def _looks(self, pattern: ast.pattern | None) -> ast.Tuple:
        """The class patterns within a pattern: each as its class, and the parts of an object that it looks at.

        A part is the name or the place of an attribute, with the class patterns for its value.
        """
        if isinstance(pattern, ast.MatchClass):
            parts: list[tuple[int | str, ast.pattern]] = list(enumerate(pattern.patterns))
            parts += zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True)
            of = [ast.Tuple([ast.Constant(name), self._looks(part)], ast.Load()) for name, part in parts]
            found: list[ast.expr] = [ast.Tuple([pattern.cls, ast.Tuple([*of], ast.Load())], ast.Load())]
        else:
            inner = pattern.patterns if isinstance(pattern, ast.MatchOr) else [getattr(pattern, "pattern", None)]
            found = [each for part in inner if part is not None for each in self._looks(part).elts]
        return ast.Tuple(found, ast.Load())
