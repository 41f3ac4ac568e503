"""What the parts below the web say, told in a reader's language.

Readers of files, the office and the ledger compose their sentences in English, where they find something:
`f"round {number}: there is no player {opponent}"`. `languages/LANGUAGE/below/*.po` has each of them as a template, its
holes numbered in order: `round {0}: there is no player {1}`. A sentence is told by the template that it was made with;
what stands in a hole is told as well where it is a sentence of its own, and days and decimals become the language's.
What people wrote stands in quotes, and is put aside first: whatever it looks like, it stays as it is.
English has templates for what says, on the command line, how an option is given there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import cache, lru_cache
from itertools import count
from pathlib import Path

import msgspec
from babel import Locale
from babel.dates import format_date
from babel.messages.pofile import read_po
from babel.numbers import get_decimal_symbol
from markupsafe import Markup, escape

HOLE = re.compile(r"\{(\d)\}")
#: The same in another language; `{0!}`: what stands in it are names, and stays as it is; `{0*}`: it is a list, with
#: commas, each part of which is told.
FILLED = re.compile(r"\{(\d)([!*]?)\}")
#: What people wrote, as `repr` has it. An apostrophe follows a letter, a quote does not.
QUOTED = re.compile(r"""(?<!\w)(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?!\w)""")
#: What stands for it meanwhile: halves of characters, which no page has, the first of them for the first one.
ASIDE = re.compile("'([\ud800-\udfff])'")
FIRST = 0xD800
WORD = re.compile(r"[^\W\d_]{2,}")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
DAYS = re.compile(rf"{DAY.pattern}(?:, {DAY.pattern})*")
DECIMAL = re.compile(r"[-+]?\d+\.\d+")
#: A place in a line; any other column is called so by the table that it is in.
PLACE = re.compile(r"column \d+")
#: So many sentences stand in one another at most; so many letters has the longest one that is told.
DEEPEST, LONGEST = 4, 1000
#: The language of the sentences themselves.
OWN = "en"


class Template(msgspec.Struct, frozen=True):
    """A sentence: what stands around its holes in English, the `longest` of that, which is looked for first, and the
    whole in another language. `joint`: it only joins others (`{0}, {1}`), and tells nothing unless one of them is
    told."""

    pieces: tuple[str, ...]
    longest: str
    words: str
    joint: bool


class Phrasebook(msgspec.Struct, frozen=True):
    """Sentences without holes, and templates; those that say most themselves come first."""

    phrases: dict[str, str]
    templates: tuple[Template, ...]


def retold(text: str, locale: Locale) -> str | None:
    """A sentence of the parts below the web in a language; None if it is none that the language's templates know."""
    if len(text) > LONGEST:
        return None
    if text in (phrases := phrasebook(locale.language).phrases):
        return phrases[text]
    written = QUOTED.findall(text)
    aside = count(FIRST)
    told = _told(QUOTED.sub(lambda _: f"'{chr(next(aside))}'", text), locale.language, 0)
    return told and ASIDE.sub(lambda found: written[ord(found[1]) - FIRST], told)


def marked(text: str, locale: Locale, mark: bool = True) -> Markup:
    """The same for a page: what is not known stays as it is, marked as English unless it may be a name. A day alone is
    written as the language writes it."""
    told = retold(text, locale)
    if told is None and mark and WORD.search(text) and locale.language != OWN:
        return Markup('<span lang="en">{}</span>').format(text)
    return escape(_written(text, locale.language) if told is None else told)


def placed(column: str, locale: Locale) -> str:
    """The column of a problem: what a table calls its column stays as it is, so that it is found there."""
    return (retold(column, locale) or column) if PLACE.fullmatch(column) else column


def written(value: object, language: str) -> str:
    """A day or a number as a language writes it; text, which somebody wrote, as it is."""
    return value if isinstance(value, str) else _written(str(value), language)


def template_of(english: str, words: str) -> Template:
    pieces = tuple(HOLE.split(english)[::2])
    joint = len(pieces) > 2 and not pieces[0] and len(WORD.findall(" ".join(pieces))) < 2
    return Template(pieces, max(pieces, key=len), words, joint)


@cache
def phrasebook(language: str) -> Phrasebook:
    phrases, templates = {}, []
    for english, words in sentences(language):
        if HOLE.search(english):
            templates.append(template_of(english, words))
        else:
            phrases[english] = words
    return Phrasebook(phrases, tuple(sorted(templates, key=lambda each: -sum(map(len, each.pieces)))))


def sentences(language: str, part: str = "*") -> list[tuple[str, str]]:
    """Everything that a language's templates say, or a part of them: English, and what it is there."""
    found: list[tuple[str, str]] = []
    for path in sorted((Path(__file__).parent / "languages" / language / "below").glob(f"{part}.po")):
        with path.open("rb") as file:
            found += [(str(each.id), str(each.string)) for each in read_po(file, locale=language) if each.id]
    return found


def parts(template: Template, text: str) -> list[str] | None:
    """What stands in a template's holes, if a text was made with it: each hole ends where what follows it first stands,
    the last one where the text ends. It takes one walk along the text, whatever somebody called themselves."""
    first, *middle, last = template.pieces
    at, end = len(first), len(text) - len(last)
    if at > end or not text.startswith(first) or not text.endswith(last):
        return None
    found = []
    for piece in middle:
        begins = text.find(piece, at, end)
        if begins < 0:
            return None
        found.append(text[at:begins])
        at = begins + len(piece)
    return [*found, text[at:end]]


@lru_cache(5_000)
def _told(text: str, language: str, depth: int) -> str | None:
    book = phrasebook(language)
    if text in book.phrases:
        return book.phrases[text]
    if depth == DEEPEST:
        return None
    for each in book.templates:
        if each.longest in text and (found := parts(each, text)) is not None:
            told = [_told(part, language, depth + 1) for part in found]
            if not each.joint or any(part is not None for part in told):
                return _filled(each.words, found, told, language)
    return None


def _filled(words: str, given: Sequence[str], told: Sequence[str | None], language: str) -> str:
    def part(hole: re.Match[str]) -> str:
        at = int(hole[1])
        if hole[2] == "!":
            return given[at]
        if hole[2] == "*":
            return ", ".join(_told(each, language, DEEPEST - 1) or each for each in given[at].split(", "))
        known = told[at]
        return _written(given[at], language) if known is None else known

    return FILLED.sub(part, words)


def _written(value: str, language: str) -> str:
    """Days and a decimal as a language writes them; anything else as it is."""
    if language == OWN:
        return value
    if DAYS.fullmatch(value):
        return DAY.sub(lambda day: _day(day[0], language), value)
    return value.replace(".", get_decimal_symbol(language)) if DECIMAL.fullmatch(value) else value


def _day(written: str, language: str) -> str:
    try:
        return str(format_date(date.fromisoformat(written), "medium", locale=language))
    except ValueError:
        return written
