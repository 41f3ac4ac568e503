"""A page for each rulebook: its history, what it says and where that stands, what is unsure, and a call of the program.

Everything comes from the rulebook itself; only what its games need to have is written here, where it is not usual.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date

from arpad import rulebooks
from arpad.rulebooks import views
from arpad.rulebooks.book import BEGINNING, Rulebook

#: Games and a list that most rulebooks take; {day} and {later} are days of the last edition.
GAMES = "date,event,round,white,black,result\n{day},Open,1,Anna,Bruno,1-0\n{later},Open,2,Carla,Anna,1/2-1/2\n"
LIST = "player,rating,games\nAnna,1850,60\nBruno,1790,45\nCarla,1920,80\n"

TEAMS = "player,rating,games\nAnna,1540,60\nBruno,1500,45\nCarla,1575,80\n"
CONTEST = "date,id,player,place\n{day},1,Anna,1\n{day},1,Bruno,2\n{day},1,Carla,3\n"
MATCH = (
    "date,tournament,season,home,away,home_score,away_score\n{day},{tournament},{season},Anna,Bruno,3,1\n"
    "{later},{tournament},{season},Carla,Anna,2,2\n"
)
GO = (
    "date,event,white,black,result,handicap,white_grade,black_grade\n"
    "{day},Open,Anna,Bruno,1-0,0,3d,3d\n{later},Open,Anna,Carla,0-1,2,3d,1d\n"
)

#: What differs from that: games, list (empty: none), by the beginning of the rulebook's name.
SPECIAL: Mapping[str, tuple[str, str]] = {
    "multiplayer": (CONTEST, LIST),
    "boardgamearena": (CONTEST, LIST),
    "diplomacy/": (CONTEST, "player,rating,games\nAnna,100,1\nBruno,110,4\nCarla,90,2\n"),
    "aga": (GO, ""),
    "egf": (GO, "player,rating,games\nAnna,2300,60\nBruno,2280,45\n"),
    "dwz": (GAMES, "player,rating,index,born\nAnna,1850,31,2006\nBruno,1790,22,1971\nCarla,1920,40,1988\n"),
    "ecf/grade": (GAMES, "player,rating,games\nAnna,150,60\nBruno,142,45\nCarla,160,80\n"),
    "icu": (GAMES, "player,rating,born,joined\nAnna,1850,2006,2015\nBruno,1790,1971,1990\nCarla,1920,1988,2018\n"),
    "eloratings": (MATCH.replace("{tournament}", "Friendly"), LIST),
    "fifa/": (MATCH.replace("{tournament}", "Friendly"), TEAMS),
    "fivethirtyeight/": (MATCH.replace("{tournament}", "season"), TEAMS),
    "audl": (MATCH.replace("{tournament}", "season"), TEAMS),
}


def page(name: str, block: Callable[[str], str]) -> str:
    """The page of a rulebook in Markdown; `block` runs the commands of a console block."""
    book = rulebooks.load(name)
    return "\n".join(line for part in (_head, _editions, _said, _unsure, _choices) for line in part(book)) + (
        f"\n## An example\n\n```console\n{block(_example(book))}```\n"
    )


def _head(book: Rulebook) -> Iterator[str]:
    yield f"# {book.title['en']}"
    yield ""
    whose = "" if book.organisation == "none" else f"{book.organisation}, "
    yield f"`--rules {book.name}`: {whose}{book.game}; {book.cadence}. Made by `scripts/docs.py`."
    yield ""
    if book.text.get("en"):
        yield from (book.text["en"], "")
    yield f"**Checked against** {book.evidence or 'what follows'}: {book.verified}."
    yield ""


def _editions(book: Rulebook) -> Iterator[str]:
    if len(book.editions) == 1 and book.until is None:
        return
    yield from ("## Editions", "")
    rows = [{**row, "clauses": row["clauses"] or "-"} for row in views.editions(book)]
    rows[0]["clauses"] = "everything"
    chosen = {"from": "from", "name": "name", "clauses": "states", "source": "source"}
    yield views.markdown(rows, chosen if any(row["name"] for row in rows) else {**chosen, "name": "name"}).rstrip()
    if book.until:
        yield f"\nNo longer in force from {book.until} on."
    yield ""


def _said(book: Rulebook) -> Iterator[str]:
    last = book.editions[-1]
    since = "" if last.since is None else f" since {last.since}"
    yield from (f"## What it says{since}", "")
    lines = views.show(book, last.since)
    together: dict[str, list[dict[str, str]]] = {}
    for line in lines:
        together.setdefault(line["clause"].partition(".")[0], []).append(line)
    for clause, parts in together.items():
        said = parts[0]
        values = ", ".join(
            f"{part['clause'].partition('.')[2]} {part['value']}".strip() for part in parts if part["value"]
        )
        where = said["article"] or said["source"]
        unsure = " **(unsure)**" if any(part["status"] == "unsure" for part in parts) else ""
        text = f": {said['text']}" if said["text"] else ""
        yield f"* `{clause}` {values}{text} [{where}]{unsure}" if where else f"* `{clause}` {values}{text}{unsure}"
    yield ""


def _unsure(book: Rulebook) -> Iterator[str]:
    found: dict[str, None] = {}
    for edition in book.editions:
        if edition.status == "unsure":
            found[f"edition of {edition.since or BEGINNING}: {edition.text.get('en', edition.name)}"] = None
        for clause, stated in views.clauses(edition):
            if stated.status == "unsure":
                found[f"`{clause.partition('[')[0]}`: {stated.text.get('en', '')}"] = None
    found |= {
        f"parameter `{name}`: {parameter.text.get('en', '')}": None
        for name, parameter in book.parameters.items()
        if parameter.status == "unsure"
    }
    found |= {
        f"preset `{name}`: {preset.text.get('en', '')}": None
        for name, preset in rulebooks.presets(book.name).items()
        if preset.status == "unsure"
    }
    yield from ("## What is unsure", "")
    yield from (f"* {line}" for line in found) if found else ["Nothing: each statement has a source that settles it."]
    yield ""


def _choices(book: Rulebook) -> Iterator[str]:
    presets = rulebooks.presets(book.name)
    if not book.parameters and not presets:
        return
    yield from ("## Parameters and presets", "")
    for name, parameter in book.parameters.items():
        yield f"* `--set {name}=`{_plain(parameter.default)}: {parameter.text.get('en', '')}"
    for name, preset in presets.items():
        yield f"* `--rules {book.name}:{name}`: {preset.text.get('en', '')}"
    yield ""


def _plain(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value).lower() if isinstance(value, bool) else str(value)


def _example(book: Rulebook) -> str:
    """Commands that write games, and perhaps a list, and explain what they do to one player."""
    games, known = next((files for start, files in SPECIAL.items() if book.name.startswith(start)), (GAMES, LIST))
    since = book.editions[-1].since or date(2024, 1, 1)
    year = max(since.year + 1, 2024) if book.until is None else since.year
    values = {"day": f"{year}-03-01", "later": f"{year}-03-02", "season": str(year)}
    for name, value in values.items():
        games = games.replace(f"{{{name}}}", value)
    told = f"$ cat > games.csv <<'end'\n{games}end\n"
    told += f"$ cat > list.csv <<'end'\n{known}end\n" if known else ""
    start = " --start list.csv" if known else ""
    return told + f"$ arpad explain games.csv --rules {book.name}{start} --player Anna --quiet\n"
