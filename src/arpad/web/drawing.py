"""Templates, drawn in a language: its words, its numbers, its dates. Names are never translated."""

from __future__ import annotations

import gettext
import hashlib
import io
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from functools import cache, cached_property, lru_cache, partial
from importlib import resources
from pathlib import Path
from typing import Any

from babel import Locale
from babel.dates import format_date, format_datetime
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import get_decimal_symbol, get_group_symbol
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markdown_it import MarkdownIt
from markupsafe import Markup, escape

from arpad.bureau import wording
from arpad.web import retelling
from arpad.web.compiling import Prepared, told_in
from arpad.web.links import ServedLinks

#: The languages of all pages, the first one where nobody asks for another.
LANGUAGES = ("en", "it", "es")
#: Whose days and numbers each goes by; English days are written as most of its federations write them.
LOCALES = {"en": Locale("en", "GB"), "it": Locale("it"), "es": Locale("es")}
#: What a page shows where there is nothing.
BLANK = "–"
#: Of a report's problems, so many are listed: nobody reads on, and a browser takes seconds for all of a broken file.
LISTED = 1_000
#: Days, numbers, ratings and changes, of each so many, that a language keeps as it wrote them.
WRITTEN = 10_000
#: What the office calls people without a name.
NAMELESS = re.compile(r"player (\d+)")
MARKDOWN = MarkdownIt("commonmark", {"html": False})
FOLDER = Path(str(resources.files("arpad.web")))


class Drawing:
    """Everything that draws pages: an environment a language, and the digests of what is served beside them."""

    def __init__(self) -> None:
        self.environments = {language: environment(language) for language in LANGUAGES}

    def draw(self, language: str, template: str, context: Mapping[str, Any]) -> str:
        return self.environments[language].get_template(template).render(context)

    def told(self, language: str, text: str) -> str:
        """What the parts below the web say, in a language, for what is no page; English where that is not known."""
        return retelling.retold(text, LOCALES[language]) or text

    def placed(self, language: str, column: str) -> str:
        """The same for the column of a problem."""
        return retelling.placed(column, LOCALES[language])

    def words(self, language: str) -> Callable[[str], str]:
        """What puts a text of the program, in English, into a language: for what is no page."""
        return translations(language).gettext

    @cached_property
    def assets(self) -> Mapping[str, str]:
        """Beginnings of digests of what lies in `static`, by name: an address changes with what is behind it."""
        root = FOLDER / "static"
        files = [path for path in sorted(root.rglob("*")) if path.is_file()]
        return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()[:12] for path in files}


@cache
def environment(language: str) -> Environment:
    """What draws in a language. It is of no office: all of a program share it, and the templates that it compiled."""
    made = Prepared(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        extensions=["jinja2.ext.i18n"],
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.install_gettext_translations(translations(language), newstyle=True)  # type: ignore[attr-defined]
    made.code_generator_class = told_in(translations(language).gettext)
    made.globals |= {"language": language, "languages": {code: _named(code) for code in LANGUAGES}, "blank": BLANK}
    made.globals["listed_most"] = LISTED
    made.filters |= {"markdown": markdown, "called": partial(called, translations(language).gettext)}
    made.filters |= filters(LOCALES[language])
    made.filters |= {
        "told": partial(retelling.marked, locale=LOCALES[language]),
        "placed": partial(retelling.placed, locale=LOCALES[language]),
        "term": partial(term, language=language),
        "glossed": partial(glossed, glossary=ServedLinks(language, "/", {}, {})("topic", topic="glossary")),
    }
    return made


def called(_: Callable[[str], str], name: str) -> str:
    """A name, or in a language's words what stands for one that is not kept or not shown."""
    return _("player %(number)s") % {"number": match[1]} if (match := NAMELESS.fullmatch(name)) else name


def term(name: str, group: str, language: str) -> Markup:
    """A word of the ledger; one that the language has not is marked as English."""
    words = wording.TERMS[language].get(group, {})
    return escape(words[name]) if name in words else retelling.marked(name, LOCALES[language])


def glossed(text: str, anchor: str, glossary: str) -> Markup:
    """A word, with what it means behind it."""
    return Markup('<a href="{}#{}" class="term">{}</a>').format(glossary, anchor, text)


def markdown(text: str) -> Markup:
    """Words of ours as HTML; what would be HTML in them is shown as it stands."""
    return Markup(MARKDOWN.render(text))


@cache
def translations(language: str) -> gettext.NullTranslations:
    """What `languages/LANGUAGE/*.po` say, a file for each part of the pages; templates are written in English."""
    catalog = Catalog(language)
    for path in sorted((FOLDER / "languages" / language).glob("*.po")):
        with path.open("rb") as file:
            for message in read_po(file, locale=language):
                if message.id and message.string:
                    catalog[message.id] = message
    compiled = io.BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def filters(locale: Locale) -> dict[str, Any]:
    """How a language writes days, numbers, and changes."""

    def day(value: date | None, length: str = "medium") -> str:
        return BLANK if value is None else format_date(value, length, locale=locale)

    def instant(value: str | None) -> str:
        """A moment of the log, which is in UTC."""
        if not value:
            return BLANK
        return f"{format_datetime(datetime.fromisoformat(value), 'medium', locale=locale)} UTC"

    symbol = get_decimal_symbol(locale)
    symbols = str.maketrans({",": get_group_symbol(locale), ".": symbol})

    def number(value: float | None, places: int = 0) -> str:
        """A number, its thousands grouped, as Babel writes it, which takes longer."""
        return BLANK if value is None else f"{round(value, places) + 0.0:,.{places}f}".translate(symbols)

    def plain(value: float) -> str:
        """Without grouping, with decimals only where there are some, and then two at most."""
        text = f"{round(value, 2) + 0.0:.2f}"
        return text.rstrip("0").rstrip(".").replace(".", symbol)

    def rating(value: float | None, places: int | None = None) -> str:
        """A rating, with so many decimals if that is said. Babel, which takes longer, is not asked: there is no
        grouping."""
        if value is None:
            return BLANK
        return plain(value) if places is None else f"{round(value, places) + 0.0:.{places}f}".replace(".", symbol)

    def signed(value: float | None, places: int | None = None) -> str:
        """A change with its sign, and a true minus; of none, 0."""
        if value is None:
            return BLANK
        shown = plain(abs(value)) if places is None else f"{abs(value):.{places}f}".replace(".", symbol)
        zero = not shown.strip(f"0{symbol}")
        return shown if zero else f"{'+' if value > 0 else '−'}{shown}"

    # Pages repeat the same few thousand values, and looking up a language's symbols costs more than the rest of a row.
    told: dict[str, Callable[..., str]] = {"day": day, "number": number, "rating": rating, "signed": signed}
    return {"instant": instant, **{name: lru_cache(WRITTEN)(write) for name, write in told.items()}}


def _named(language: str) -> str:
    return str(Locale(language).get_display_name(language)).capitalize()
