"""Templates told in their language when they are compiled say what they would say if they asked each time."""

from __future__ import annotations

import pytest
from jinja2 import Environment
from jinja2.compiler import CodeGenerator
from markupsafe import Markup

from arpad.web.drawing import FOLDER, LANGUAGES, environment

TEXTS = (
    '{{ _("Rating now") }} {{ _("Rating now")|upper }}',
    '<a title="{{ _("Events") }}">{{ {"name": _("Events")}.name }}</a>',
    "{% trans games=given|upper %}games: {{ games }}{% endtrans %}",
    "{% for each in [given, given] %}{% trans games=each, rated=loop.index %}games: {{ games }}, {{ rated }} rated"
    "{% endtrans %}{% endfor %}",
    '{{ _("games: %(games)s", games=given) }} {{ _("games: %(games)s", games=given)|length }}',
    '{{ _("half of it: 50%%") }} {{ _(given) }}',
    "{% macro said(text) %}{{ text }}: {{ given }}{% endmacro %}{{ said(_('Events')) }}",
)


def asking(language: str) -> Environment:
    """What draws in a language and asks for each text where it stands, as Jinja does by itself."""
    made = environment(language).overlay()
    made.code_generator_class = CodeGenerator
    return made


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("given", ["<b> & 100%%", Markup("<i>7</i>")])
def test_it_says_the_same(text: str, given: object, language: str) -> None:
    asked = asking(language).from_string(text).render(given=given)
    assert environment(language).from_string(text).render(given=given) == asked
    assert "gettext" not in asked


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_ask_for_no_text_while_they_are_drawn(language: str) -> None:
    """But for those with holes that are handed on instead of shown: the description of a picture, a choice of two."""
    own = environment(language)
    compiled = {
        name: own.compile((FOLDER / "templates" / name).read_text(encoding="utf-8"), name, raw=True)
        for name in own.list_templates()
    }
    assert len(compiled) > 40
    asking = {name for name, source in compiled.items() if "resolve('_')" in source or "gettext" in source}
    assert asking == {"compare.html", "development.html", "event.html", "player.html"}
