"""Templates as they are compiled for one language: what they say in English becomes that language's words then, not
each time a page is drawn. A call of `_` or a `trans` costs more than a cell of a table, and a page has fifty of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, MutableMapping
from types import MethodType
from typing import Any

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from arpad.web.links import ServedLinks

#: Filters that write days and numbers, in which there is nothing to be escaped.
PLAIN = frozenset(("day", "number", "rating", "signed"))
#: What a text leaves open; around it stand words.
HOLE = re.compile(r"%\((\w+)\)s")


def told_in(words: Callable[[str], str]) -> type[CodeGenerator]:
    """What compiles templates for the language of these words."""

    class Told(CodeGenerator):
        def visit_Template(self, node: nodes.Template, frame: Frame | None = None) -> None:
            super().visit_Template(_Retold(words).visit(node), frame)

        def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
            if finalize.src is None and isinstance(node, nodes.Filter) and node.name in PLAIN:
                self.write("(")
            else:
                super()._output_child_pre(node, frame, finalize)

    return Told


class Called(Context):
    """What a template calls are links and questions to whoever asks, hundreds of times in a page: no method of theirs
    wants to know where it is called, so that this is not looked up each time."""

    def call(self, what: Any, /, *args: Any, **named: Any) -> Any:
        if not isinstance(what, ServedLinks | MethodType):
            return super().call(what, *args, **named)
        named.pop("_loop_vars", None)  # Jinja's own, for those who do
        named.pop("_block_vars", None)
        return what(*args, **named)


class Prepared(Environment):
    """An environment to which nothing is added once a template was loaded: each has its globals in one mapping, where
    Jinja would look at two whenever a template imports another one."""

    context_class = Called

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


class _Retold(NodeTransformer):
    """Puts a text's words in place of what asks for them. One with holes is put where it is shown, around what is shown
    in them; elsewhere it is filled when it is drawn."""

    def __init__(self, words: Callable[[str], str]) -> None:
        self.words = words

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        if (text := self._said(node)) is None or node.kwargs:
            return self.generic_visit(node)
        return nodes.Const(Markup(text % ()))

    def visit_Output(self, node: nodes.Output) -> nodes.Node:
        node.nodes = [part for child in node.nodes for part in self._shown(child)]
        return self.generic_visit(node)

    def _shown(self, child: nodes.Expr) -> Iterator[nodes.Expr]:
        if not isinstance(child, nodes.Call) or (text := self._said(child)) is None:
            yield child
            return
        given = {each.key: each.value for each in child.kwargs}
        for place, part in enumerate(HOLE.split(text)):
            yield given[part] if place % 2 else nodes.TemplateData(part % ())

    def _said(self, node: nodes.Call) -> str | None:
        """The words of what is a text of the template's own."""
        if isinstance(node.node, nodes.Name) and node.node.name in ("_", "gettext"):
            match node.args:
                case [nodes.Const(value=str(text))]:
                    return self.words(text)
        return None
