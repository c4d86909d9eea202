"""The small wrong changes that are made to a module, one at a time.

A change is made in the syntax tree, never in a file. Annotations, docstrings, decorators, texts
of messages and what only a type checker reads are left alone: no test could tell.

Why not the catalogue of a published tool: mutmut 3.8 and cosmic-ray 8.7 were tried on six modules
(pots, chain, sealed, mirror, authority, drop). Of our 436 changes mutmut makes 163 and cosmic-ray
154; neither leaves out a statement, forces a condition or returns nothing (197 changes), which is
how a check gets lost. Of mutmut's 1,036 own changes 660 are to texts and arguments of calls, and it
passes over every property. Both know an accepted change by a comment or a number, not by its
words, and neither draws a sample; cosmic-ray writes into the source and starts an interpreter for
each trial.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

NEAR: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
"""For a comparison: its boundary moved, and its opposite."""
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
}
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SKIPPED = frozenset(("annotation", "returns", "decorator_list", "type_params", "type_comment"))
OTHER = "something else"


@dataclass(frozen=True, slots=True)
class Change:
    """One wrong change: where it is, what was there and what is put there instead."""

    line: int
    text: str
    """The first line of the source that it is in, without its indentation."""
    was: str
    now: str
    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST

    def make(self) -> None:
        """Puts the change into the tree that it was found in."""
        if self.index is None:
            setattr(self.parent, self.field, self.node)
        else:
            getattr(self.parent, self.field)[self.index] = self.node


def changes(
    source: str, only: Collection[str] = (), about: str = ""
) -> tuple[ast.Module, list[Change]]:
    """The tree of a source and every change to it, in their order.

    `only` keeps to the functions named, and `about` adds the lines in which a word is.
    """
    tree = ast.parse(source)
    lines = source.splitlines()
    found: list[Change] = []
    seen: Counter[tuple[str, str, str]] = Counter()
    everywhere = not (only or about)
    for at, node, function in _Walk().changes_in(tree):
        line = getattr(at.node, "target", at.node).lineno
        text = lines[line - 1].strip()
        if not (everywhere or function in only or (about and about in text)):
            continue
        was, now = _said(at.node), "(removed)" if isinstance(node, ast.Pass) else _said(node)
        if at.field == "test":
            was, now = f"if {was}", f"if {now}"
        elif isinstance(at.node, ast.Return):
            was = "return"
        seen[text, was, now] += 1
        number = seen[text, was, now]
        if number > 1:
            was += f" ({number})"
        found.append(Change(line, text, was, now, at.parent, at.field, at.index, node))
    return tree, found


def _said(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


@dataclass(frozen=True, slots=True)
class _At:
    parent: ast.AST
    field: str
    index: int | None
    node: Any


class _Walk:
    def __init__(self) -> None:
        self._bound: set[str] = set()
        """The names that the function has given a value so far."""

    def changes_in(self, node: ast.AST, function: str = "") -> Iterator[tuple[_At, ast.AST, str]]:
        for at in _children(node):
            if not _left_alone(at.node):
                yield from self._of(at, function)

    def _of(self, at: _At, function: str) -> Iterator[tuple[_At, ast.AST, str]]:
        node = at.node
        if isinstance(node, ast.FunctionDef):
            function = node.name
            arguments = (*node.args.args, *node.args.kwonlyargs)
            self._bound = {argument.arg for argument in arguments}
        if at.field == "test":
            for truth in _truths(node):
                yield at, truth, function
        # Where a condition or a part of it is forced or left out, its opposite says nothing new.
        weighed = at.field in ("test", "ifs") or isinstance(at.parent, ast.BoolOp)
        for new in _instead(node, self._bound, weighed=weighed):
            yield at, new, function
        yield from self.changes_in(node, function)
        if isinstance(node, ast.Assign):
            self._bound |= {name.id for name in node.targets if isinstance(name, ast.Name)}


def _truths(test: ast.expr) -> Iterator[ast.expr]:
    """A condition that is always met, and one that never is."""
    if isinstance(test, ast.Constant):
        return  # "while True" is met already; its opposite is found as a constant
    yield _placed(ast.Constant(True), test)
    # A comparison with a setting that does not exist says the same as False.
    if not _compares_text(test):
        yield _placed(ast.Constant(False), test)


def _children(node: ast.AST) -> Iterator[_At]:
    for field, value in ast.iter_fields(node):
        if field in SKIPPED:
            continue
        if isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield _At(node, field, index, item)
        elif isinstance(value, ast.AST):
            yield _At(node, field, None, value)


def _left_alone(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Call(func=ast.Name(id="Key" | "Column")):
            return True  # the layout of a screen
    return False


def _instead(node: ast.AST, bound: Collection[str], *, weighed: bool) -> Iterator[ast.AST]:
    """What is put in the place of a node: every small mistake that one could make there."""
    match node:
        case ast.Expr() | ast.Delete() | ast.Continue() | ast.Break():
            yield _placed(ast.Pass(), node)
        case ast.AugAssign():
            yield _placed(ast.Pass(), node)
            if type(node.op) in ARITHMETIC:
                yield _with(node, op=ARITHMETIC[type(node.op)]())
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield _placed(ast.Pass(), node)
        case ast.Assign(targets=[ast.Name(id=name)]) if name in bound:
            yield _placed(ast.Pass(), node)
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield _placed(ast.Return(ast.Constant(None)), node)
        case ast.comprehension(ifs=[*tests]):
            for number in range(len(tests)):
                yield _with(node, ifs=tests[:number] + tests[number + 1 :])
        case ast.Compare():
            yield from _compared(node, weighed=weighed)
        case ast.BinOp() if type(node.op) in ARITHMETIC:
            yield _with(node, op=ARITHMETIC[type(node.op)]())
        case ast.BoolOp(values=values):
            # Whatever finds a part left out finds "and" for "or" as well.
            for number in range(len(values)):
                rest = values[:number] + values[number + 1 :]
                yield rest[0] if len(rest) == 1 else _with(node, values=rest)
        case ast.UnaryOp(op=ast.Not(), operand=operand) if not weighed:
            yield operand
        case ast.Constant(value=bool(value)):
            yield _placed(ast.Constant(not value), node)
        case ast.Constant(value=int(value)):
            yield _placed(ast.Constant(value + 1), node)
        case ast.MatchValue(value=ast.Constant(value=str())):
            yield _with(node, value=_placed(ast.Constant(OTHER), node))
        case ast.Slice(lower=lower, upper=upper):
            if lower is not None:
                yield _with(node, lower=None)
            if upper is not None:
                yield _with(node, upper=None)
        case ast.Call():
            yield from _called(node)


def _compared(node: ast.Compare, *, weighed: bool) -> Iterator[ast.AST]:
    for number, operator in enumerate(node.ops):
        near_ones = NEAR[type(operator)]
        for near in near_ones[:-1] if weighed else near_ones:
            yield _with(node, ops=[*node.ops[:number], near(), *node.ops[number + 1 :]])
    for number, side in enumerate(node.comparators):
        for new in _other_text(side):
            sides = [*node.comparators[:number], new, *node.comparators[number + 1 :]]
            yield _with(node, comparators=sides)


def _other_text(side: ast.expr) -> Iterator[ast.expr]:
    """A setting, or one of several, that is compared: another."""
    match side:
        case ast.Constant(value=str()):
            yield _placed(ast.Constant(OTHER), side)
        case ast.Tuple(elts=items) | ast.Set(elts=items):
            for number, item in enumerate(items):
                for new in _other_text(item):
                    yield _with(side, elts=[*items[:number], new, *items[number + 1 :]])


def _called(node: ast.Call) -> Iterator[ast.AST]:
    match node.func:
        case ast.Name(id="sorted"):
            if all(keyword.arg != "reverse" for keyword in node.keywords):
                backwards = ast.keyword("reverse", ast.Constant(True))
                yield _with(node, keywords=[*node.keywords, backwards])
        case ast.Name(id="reversed"):
            yield _with(node, func=_placed(ast.Name("iter", ast.Load()), node.func))
        case ast.Name(id=name) if name in TWINS:
            # With a key or a start they are not each other's opposite any more.
            if not node.keywords or name in ("min", "max"):
                yield _with(node, func=_placed(ast.Name(TWINS[name], ast.Load()), node.func))


def _compares_text(test: ast.expr) -> bool:
    match test:
        case ast.Compare(ops=[ast.Eq()], comparators=[ast.Constant(value=str())]):
            return True
    return False


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _placed(new: ast.AST, old: ast.AST) -> Any:
    return ast.copy_location(new, old)


def _with(node: ast.AST, **fields: Any) -> Any:
    """A copy of a node with fields changed; what it holds is shared."""
    copy = type(node)(**{name: getattr(node, name, None) for name in node._fields})
    for name, value in fields.items():
        setattr(copy, name, value)
    return ast.copy_location(copy, node)
