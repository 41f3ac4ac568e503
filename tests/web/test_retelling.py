"""What the parts below the web say is told in the reader's language: every sentence, and on every page."""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterator, Mapping
from functools import cache
from html.parser import HTMLParser
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from babel import Locale

import arpad
from arpad.bureau.opened import open_office
from arpad.rulebooks.loader import load
from arpad.rulebooks.loader import names as shelf
from arpad.web.answers import STATUS
from arpad.web.callers import PUBLIC, Caller
from arpad.web.drawing import LANGUAGES, LOCALES
from arpad.web.retelling import FILLED, HOLE, WORD, marked, placed, retold, sentences, template_of, written
from tests.web.callers import OFFICER, client_as
from tests.web.people import FORM, sent
from tests.web.test_languages import translated

PACKAGE = Path(arpad.__file__).parent
OTHERS = LANGUAGES[1:]
#: Parts that speak to nobody on a page: of the command line, of a month's rating, of files that no report is, of those
#: who write rulebooks or keep the server.
UNHEARD = (
    *("cli", "api", "office", "month", "next_list", "going_on", "python_rules", "checkpoints", "columns", "periods"),
    *("rulebooks", "ledger", "formats.fide_list", "formats.fide_text", "formats.fide_xml", "formats.gathering"),
    *("formats.frames", "formats.parquet", "formats.write", "formats.list_join", "formats.streams", "formats.source"),
    *("formats.codes26", "bureau.bundles", "bureau.keeping", "bureau.packing", "bureau.pinning"),
    *("web.api", "web.folders", "web.site"),
    *("systems.dwz", "systems.ecf", "systems.elo", "systems.uschess", "norms", "titles", "merging", "events.facts"),
)
#: Calls whose words a page may show.
SPEAKERS = {"Problem", "_problem", "Finding", "Repair", "UsageError", "NotAllowed", "Stale", "Busy", "LedgerError"}
SPEAKERS |= {"warn", "held", "ValueError"}
WORDS = ("hint", "message")


def heard() -> Iterator[Path]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        if not any(name == part or name.startswith((f"{part}.", f"{part}_")) for part in UNHEARD):
            yield path


def template(node: ast.JoinedStr) -> str:
    """An f-string with its holes numbered."""
    holes = iter(range(len(node.values)))
    return "".join(str(part.value) if isinstance(part, ast.Constant) else f"{{{next(holes)}}}" for part in node.values)


def phrases(node: ast.AST, known: Mapping[str, list[ast.expr]]) -> Iterator[str]:
    """What an argument may be, as far as that stands in the function; names are what was assigned to them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield template(node)
    elif isinstance(node, ast.IfExp):
        yield from phrases(node.body, known)
        yield from phrases(node.orelse, known)
    elif isinstance(node, ast.Name):
        rest = {name: values for name, values in known.items() if name != node.id}
        for value in known.get(node.id, ()):
            yield from phrases(value, rest)


def assigned(function: ast.AST) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, []).append(node.value)
    return found


@cache
def spoken() -> frozenset[str]:
    """Every sentence that a part which pages show says, as a template."""
    found = set()
    for path in heard():
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            known = assigned(function)
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in SPEAKERS:
                    kind = ast.unparse(node.func) == "Finding"  # its first word is for programs
                    given = [*node.args[kind:], *(word.value for word in node.keywords if word.arg in WORDS)]
                    found.update(said for each in given for said in phrases(each, known))
    return frozenset(said for said in found if " " in said.strip() and WORD.search(HOLE.sub("", said)))


@cache
def strings() -> str:
    """All strings of the program, and of its rulebooks."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    found += [path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.toml"))]
    said = "\n".join(found)
    return said + said.replace("_", " ")  # names of facts are shown as words


def filled(said: str) -> str:
    return HOLE.sub(lambda hole: f"<{hole[1]}>", said)


def test_enough_is_heard() -> None:
    assert len(spoken()) > 350


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_is_told(language: str) -> None:
    joints = {english for english, _ in sentences(language) if template_of(english, "").joint}
    untold = [said for said in spoken() - joints if retold(filled(said), Locale(language)) is None]
    assert sorted(untold) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_what_stands_in_the_holes(language: str) -> None:
    for english, words in sentences(language):
        assert words, english
        assert {number for number, _ in FILLED.findall(words)} <= set(HOLE.findall(english)), english


@pytest.mark.parametrize("part", ["reports", "tables", "desk", "rulebooks"])
@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_is_told_that_nobody_says(language: str, part: str) -> None:
    idle = [
        english
        for english, _ in sentences(language, part)
        if any(WORD.search(part) and part.strip(" '()") not in strings() for part in HOLE.split(english)[::2])
    ]
    assert idle == []


def test_english_is_told_otherwise_only_where_it_is_of_the_command_line() -> None:
    of_the_shell = re.compile(r"--\w|`arpad |pip install|\barpad\[")
    known = dict(sentences("en"))
    for said in spoken():
        if of_the_shell.search(said):
            told = retold(filled(said), Locale("en"))
            assert told is not None, said
            assert not of_the_shell.search(told), said
    assert all(of_the_shell.search(english) for english in known if WORD.search(english)), "says the same on a page"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("round 3: there is no player 12", "turno 3: non c'è il giocatore 12"),
        ("round 2: unknown result 'x' (known: 1 = 0 + - W D L H F U Z)",
         "turno 2: risultato sconosciuto 'x' (quelli che ci sono: 1 = 0 + - W D L H F U Z)"),
        ("Rossi, Ada: the identifiers are those of several people: fide 5 is person 7, 'Rossi, Ada' (1990; fide 5)",
         "Rossi, Ada: gli identificativi sono di più persone: fide 5 è persona 7, 'Rossi, Ada' (1990; fide 5)"),
        ("3 game(s) before 2025-01-02, where ratings begin",
         "partite prima del 2 gen 2025, dove cominciano i punteggi: 3"),
        ("ends 2025-01-02, before it starts 2025-02-30", "finisce il 2 gen 2025, prima di cominciare il 2025-02-30"),
        ("declares 2.5 points, but the rounds add up to 3", "dichiara 2,5 punti, ma i turni ne danno 3"),
        ("unknown list 'publi'; did you mean public or 2.5?", "lista 'publi': non esiste; forse cercavi public o 2.5?"),
        ("declare 2.5 points", "dichiara 2.5 punti"),  # as the file has it
        ("'2.5' is not a number", "'2.5' non è un numero"),
        ("unknown list 'rapd'; did you mean rapid?", "lista 'rapd': non esiste; forse cercavi rapid?"),
        ("unknown player of the event 'x y'; there is none like it",
         "giocatore del torneo 'x y': non esiste; non ce n'è nessuno simile"),
        ("match 7 is disputed; an officer settles it", "l'incontro 7 è contestato; lo risolve un responsabile"),
        ("match 7 is withdrawn", "l'incontro 7 è ritirato"),
        ("the same report was accepted before, as report 3, for the pool 'go'; it counts once",
         "lo stesso rapporto è già stato accettato come rapporto 3, per il gruppo 'go'; conta una volta sola"),
        ("fide 5 is person 7, no name; did you mean person 8, 'Rossi, Ada'?",
         "fide 5 è persona 7, senza nome; forse è persona 8, 'Rossi, Ada'?"),
        ("no column for the first player and the result; found 'opponent'",
         "nessuna colonna per il primo giocatore e il risultato; trovate 'opponent'"),
        ("accepted for the opponent: opponent, rival; or, for contests of several players: a place (or points) and the "
         "id of the game in each player's row",
         "ammessi per l'avversario: opponent, rival; oppure, per gare di più giocatori: un piazzamento (o i punti) e "
         "l'identificativo della partita nella riga di ciascuno"),
        ("is a } missing before?", "prima manca una } ?"),
    ],
)  # fmt: skip
def test_a_sentence_is_told_with_what_stands_in_it(said: str, told: str) -> None:
    assert retold(said, LOCALES["it"]) == told


@pytest.mark.parametrize(
    "name",
    [*("<b>x</b>", "{0}", "%(name)s", "100.5", "2025-01-01", "round 3: x", "base", "Europe", "Rossi and Bianchi"),
     *("the file is empty", "it is {0!}; accepted", "person 3, Rossi", "O'Hara, A", "'x' is 'y'", 'a "b" o\'c', "\\")],
)  # fmt: skip
@pytest.mark.parametrize("language", OTHERS)
def test_what_people_wrote_stays_as_it_is(language: str, name: str) -> None:
    for said in (
        f"{name!r}: nobody of the register",
        f"players 1 (line 3) and 2 are both {name!r}, and not both have ids",
        f"name {name!r} is that of player 1 (line 5) and of 2: not rated",
        f"id 5 is {name!r} in the register, not {name!r}",
        f"{name!r}: fide 5 is person 7, {name!r} (1990); did you mean person 8, {name!r} or person 9, no name?",
        f"unknown player {name!r}; did you mean {name!r} or public?",
        f"columns read: {name!r} as the round, {name!r} as the date, 'x, y' as the result, {name!r} as the event",
    ):
        told = retold(said, LOCALES[language])
        assert told is not None
        assert told != said
        assert told.count(repr(name)) == said.count(repr(name)), told


def test_every_part_of_a_list_is_told() -> None:
    read = "columns read: 'w' as the first player, 'b' as the second player, 'r' as the result, 'd' as the date"
    assert "as the" not in str(retold(read, LOCALES["it"]))
    told = retold("1 forfeit, 2 byes, 1 game without a move: no rated games, left out", LOCALES["es"])
    assert (
        told == "1 incomparecencia, 2 descansos, 1 partida sin jugadas: no cuentan para la puntuación, se dejan fuera"
    )


def test_the_log_has_days_and_numbers_as_the_language_writes_them(demo_office: Path) -> None:
    with client_as(OFFICER, demo_office) as client:
        page, original = (client.get(f"/{language}/desk/log?kind=publish").text for language in ("it", "en"))
    assert "lista 4 del 1 dic 2025" in page
    assert "list 4 of 2025-12-01" in original
    assert written(2.5, "es") == "2,5"
    assert written("2.5", "es") == "2.5"


@pytest.mark.parametrize("column", ["round", "date", "column", "first"])
def test_a_column_is_called_what_the_table_calls_it(column: str) -> None:
    assert placed(column, LOCALES["it"]) == column
    assert placed("column 15", LOCALES["it"]) == "colonna 15"


def test_what_is_not_known_is_marked_as_english() -> None:
    assert marked("disk <I/O> error", LOCALES["es"]) == '<span lang="en">disk &lt;I/O&gt; error</span>'
    assert marked("disk <I/O> error", LOCALES["en"]) == "disk &lt;I/O&gt; error"
    assert marked("born", LOCALES["es"], mark=False) == "born"
    assert marked("2025-10-01", LOCALES["it"]) == "1 ott 2025"
    assert marked("", LOCALES["it"]) == ""


def test_what_only_joins_tells_nothing_of_what_it_does_not_know() -> None:
    assert retold("Bianchi, Anna", LOCALES["it"]) is None
    assert retold("I/O: the disk and its head", LOCALES["it"]) is None


def test_a_long_list_is_looked_at_once() -> None:
    assert retold(", ".join(f"Name {each}: and so" for each in range(300)), LOCALES["it"]) is None


#: A report with everything that an arbiter may get wrong.
WRONG = """012 Spring Open
042 2025/04/20
052 2025/04/12
062 9
001    1      Bianchi, Anna                     2050 ITA         101             2.0    1     2 w 1     9 b 1
001    2      Conti, Bruno                      1930 ITA         102             0.0    1     1 b 1     2 w 0
001    2      Nessuno                           x900 ita         103             0.0    2
"""
NUMBERS = re.compile(r"\d+")


class Words(HTMLParser):
    """What a page says to a reader, outside of what is marked as English and of what is code."""

    ATTRIBUTES = ("title", "alt", "placeholder", "aria-label")
    VOID = frozenset(("br", "hr", "img", "input", "link", "meta"))

    def __init__(self, page: str) -> None:
        super().__init__()
        self.said: set[str] = set()
        self.links: list[str] = []
        self._inside: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self.links += [given["href"]] if tag == "a" and given.get("href") else []
        silent = tag in ("script", "style", "code", "textarea") or (tag != "html" and given.get("lang") == "en")
        silent |= given.get("translate") == "no"
        silent |= bool(self._inside) and self._inside[-1][1]
        if not silent:
            self.said |= {str(given[name]) for name in self.ATTRIBUTES if given.get(name)}
        if tag not in self.VOID:
            self._inside.append((tag, silent))

    def handle_endtag(self, tag: str) -> None:
        while self._inside and self._inside.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._inside and not self._inside[-1][1] and (said := " ".join(data.split())):
            self.said.add(said)


def names(place: Path) -> list[str]:
    """Everything that people wrote into an office, and what rulebooks and their bodies are called; longest first."""
    with open_office(str(place)) as office:
        tables = [name for (name,) in office.store.rows("select name from sqlite_master where type = 'table'")]
        rows = [row for table in tables for row in office.store.rows(f"select * from {table}")]
    found = {str(value) for row in rows for value in row if isinstance(value, str)}
    for name in shelf():
        found |= {name, load(name).organisation}
    return sorted((each for each in found if WORD.search(each)), key=len, reverse=True)


@cache
def alike(language: str) -> set[str]:
    """Words that are the same in a language as in English."""
    told = chain(((message, words) for _, message, words in translated(language)), sentences(language))
    return {words for message, words in told if message == words} | {"arpad", "Italiano", "Español", "English"}


def kinds(client: Any, start: str) -> Iterator[tuple[str, str]]:
    """A page of each kind that can be come to by links, and its English, but for the API's, and help, which is written
    anew in each language."""
    seen, waiting = set(), [start]
    while waiting:
        path = waiting.pop(0)
        kind = NUMBERS.sub("0", re.sub(r"(/rules/|/lists/)[^?/]+", r"\1", path.partition("?")[0]))
        if kind in seen or not path.startswith("/en/") or re.match(r"/en/(api|help|static)", path):
            continue
        seen.add(kind)
        answer = client.get(path)
        if answer.headers["content-type"].startswith("text/html"):
            yield path.removeprefix("/en"), answer.text
            waiting += [link.partition("#")[0] for link in Words(answer.text).links]


def english(page: str, original: str, known: list[str], same: set[str]) -> list[str]:
    """What a page says as the English page does, and is neither a name nor the same word."""
    found = []
    for said in sorted((Words(page).said & Words(original).said) - same):
        rest = re.sub(r"https?://\S+", "", said)
        if any(rest in name for name in known if len(name) > len(rest) > 20):
            continue
        for name in known:
            rest = rest.replace(name, "") if name in rest else rest
        if any(word not in same and len(word) > 2 and not word.isupper() for word in WORD.findall(rest)):
            found.append(said)
    return found


@pytest.mark.parametrize("caller", [PUBLIC, OFFICER], ids=["everybody", "an officer"])
def test_no_page_of_the_demo_says_in_english_what_it_can_tell(demo_office: Path, caller: Caller) -> None:
    known, looked = [OFFICER.name, *names(demo_office)], 0
    with client_as(caller, demo_office) as client:
        for path, original in kinds(client, "/en/"):
            for language in OTHERS:
                page = client.get(f"/{language}{path}").text
                assert english(page, original, known, alike(language)) == [], f"/{language}{path}"
                looked += 1
    assert looked > 30


@pytest.mark.parametrize("language", OTHERS)
def test_what_is_wrong_with_a_report_is_told_in_the_readers_language(demo_copy: Path, language: str) -> None:
    known = [OFFICER.name, "wrong.trf", *re.findall(r"\w+, \w+", WRONG), *names(demo_copy)]
    with client_as(OFFICER, demo_copy) as client:
        client.get("/en/desk/reports")
        headers = {"x-csrftoken": client.cookies[FORM]}

        def handed_in(reader: str) -> str:
            files = {"files": ("wrong.trf", WRONG.encode())}
            return str(client.post(f"/{reader}/desk/reports", files=files, headers=headers).text)

        pages = [(handed_in("en"), handed_in(language))]
        with open_office(str(demo_copy)) as office:
            report = office.store.value("select max(id) from report")
        original, page = (client.get(f"/{each}/desk/reports/{report}").text for each in ("en", language))
        pages.append((original, page))
    for original, page in pages:
        assert english(page, original, known, alike(language)) == []
        assert '<span lang="en">' not in page
    assert len(Words(page).said - Words(original).said) > 20


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "a published list cannot be withdrawn; if the day is meant, confirm that it is"),
        ("it", "una lista pubblicata non si può ritirare"),
        ("es", "una lista publicada no se puede retirar"),
    ],
)
def test_a_refusal_is_told_as_a_page_says_it(demo_copy: Path, language: str, told: str) -> None:
    with client_as(OFFICER, demo_copy) as client, open_office(str(demo_copy)) as office:
        form = {"list": "standard", "date": "2099-01-01", "head": str(office.head)}
        page = sent(client, f"/{language}/desk/publish", **form)
    assert page.status_code == 400
    assert told in html.unescape(page.text)
    assert "--yes" not in page.text


ASKED = (
    *(("expected", {"own": "1500", "opponent": other}) for other in ("1600", "2400")),
    *(("performance", {"text": f"1500 {score}\n1600 {score}"}) for score in ("1", "0.5", "0")),
    ("performance", {"text": "1500 1\n1600 0.5\n1700 1\n1800 1\n1900 1\n2000 1\n2100 1"}),
)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("rules", ["fide/standard", "elo", "dsu", "ecf/monthly", "ecf/grade", "scrabble/australia"])
def test_what_a_calculator_remarks_is_told_in_the_readers_language(
    demo_office: Path, language: str, rules: str
) -> None:
    titles = ("A. E. Elo, The Rating of Chessplayers, Past and Present (1978)",)  # of books and of chapters
    titles += ("FIDE C.07, Perfect Tournament Performance (PTP)",)
    with client_as(PUBLIC, demo_office) as client:
        for page, asked in ASKED:
            text = html.unescape(client.get(f"/{language}/{page}", params={"rules": rules, **asked}).text)
            rest = re.sub(r'<span lang="en">(.*?)</span>', lambda found: "" if found[1] in titles else found[1], text)
            shown = " ".join(Words(rest).said).replace(load(rules).organisation, "")
            assert not re.search(r"\b(the|of|without|sets|reaches)\b", shown), shown


@pytest.mark.parametrize("language", OTHERS)
def test_every_kind_of_refusal_has_a_title(language: str) -> None:
    book = dict(sentences(language))
    for status in (*(status for _, status in STATUS), 401, 405, 412, 413, 415, 429, 500):
        assert HTTPStatus(status).phrase in book
