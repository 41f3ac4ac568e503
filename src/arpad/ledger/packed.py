"""Games as columns, kept beside their rows: ten million of them load in under a second.

A chunk holds the games of `SIZE` successive ids; it is written in the transaction that changes a game, so that it is
never stale. A replay reads chunks and events, and no row of a game.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any

import msgspec

from arpad.columns import DTYPES
from arpad.errors import LedgerError
from arpad.ledger.store import Store
from arpad.model import Column, Event, Games, Labels, PartialDate

SIZE = 16_384
#: Games from which on numpy is worth its start.
LARGE = 50_000
#: Columns of a chunk, with their type codes; `score` and `more` are places in the chunk's own tables.
CODES = {
    "key": "q",
    "event": "i",
    "round": "i",
    "board": "i",
    "first": "i",
    "second": "i",
    "day": "i",
    "score": "b",
    "more": "i",
}
#: Places of `score`: a game without a result yet, and one that does not count.
PENDING, VOID = -1, -2
#: What settles ties is a game's key without its last bit, or from here on the rank of the id it came with.
RANKS = 1 << 62
#: Facts of a game that stand in `more`, with what stands for "not said".
FACTS: dict[str, tuple[str, float]] = {
    "time": ("i", 0),
    "margin": ("d", float("nan")),
    "fewer": ("d", float("nan")),
    "length": ("d", float("nan")),
    "neutral": ("B", 0),
    "knockout": ("B", 2),
    "shootout": ("B", 0),
    "importance": ("d", float("nan")),
    "season": ("i", 0),
    "handicap": ("i", 0),
    "komi": ("d", float("nan")),
    "contest": ("i", 0),
    "first_points": ("d", float("nan")),
    "second_points": ("d", float("nan")),
    "first_weight": ("d", float("nan")),
    "second_weight": ("d", float("nan")),
}

#: (key, event, round, board, first, second, score, other, day, more, voided): a game's row without id, revision, entry.
GameRow = tuple[int, int, int, int, int, int, "float | None", "float | None", int, str, int]


class Chunk(msgspec.Struct):
    """The games of `SIZE` ids, column by column."""

    columns: dict[str, bytes]
    scores: list[tuple[float, float]]
    mores: list[str]

    def place(self, row: GameRow) -> dict[str, int]:
        """A game's values in this chunk's columns."""
        key, event, number, board, first, second, score, other, day, more, voided = row
        held = PENDING
        if voided:
            held = VOID
        elif score is not None and other is not None:
            held = _place(self.scores, (score, other))
        told = _place(self.mores, more) if more else -1
        values = (key, event, number, board, first, second, day, held, told)
        return dict(zip(CODES, values))


def _place(table: list[Any], value: Any) -> int:
    if value not in table:
        table.append(value)
    return table.index(value)


def extend(store: Store, start: int, rows: Sequence[GameRow]) -> None:
    """Add games with the ids from `start` on, which is the first one not yet given."""
    at = 0
    while at < len(rows):
        number, offset = divmod(start + at - 1, SIZE)
        part = rows[at : at + SIZE - offset]
        chunk = _read(store, number) if offset else Chunk(dict.fromkeys(CODES, b""), [], [])
        added = [chunk.place(row) for row in part] if len(part) < 64 else _placed(chunk, part)
        for name, code in CODES.items():
            chunk.columns[name] += _bytes(
                array(code, [values[name] for values in added] if isinstance(added, list) else added[name])
            )
        _write(store, number, chunk, new=not offset)
        at += len(part)


def _placed(chunk: Chunk, rows: Sequence[GameRow]) -> dict[str, list[int]]:
    """What `Chunk.place` says of many games, column by column."""
    key, event, number, board, first, second, score, other, day, more, voided = (list(each) for each in zip(*rows))
    results = {
        pair: PENDING if pair[0] is None else _place(chunk.scores, pair) for pair in dict.fromkeys(zip(score, other))
    }
    told = {text: _place(chunk.mores, text) if text else -1 for text in dict.fromkeys(more)}
    held = [VOID if out else results[pair] for out, pair in zip(voided, zip(score, other))]
    return dict(zip(CODES, (key, event, number, board, first, second, day, held, [told[text] for text in more])))


def patch(store: Store, rows: Mapping[int, GameRow]) -> None:
    """Write games with these ids anew."""
    chunks: dict[int, dict[int, GameRow]] = {}
    for number, row in rows.items():
        chunks.setdefault((number - 1) // SIZE, {})[(number - 1) % SIZE] = row
    for number, changed in chunks.items():
        chunk = _read(store, number)
        columns = {name: _array(code, chunk.columns[name]) for name, code in CODES.items()}
        for at, row in changed.items():
            for name, value in chunk.place(row).items():
                columns[name][at] = value
        chunk.columns = {name: _bytes(column) for name, column in columns.items()}
        _write(store, number, chunk, new=False)


def _read(store: Store, number: int) -> Chunk:
    return _decoded(number, store.value("select body from pack where chunk = ?", (number,)))


def _decoded(number: int, body: bytes) -> Chunk:
    try:
        return msgspec.msgpack.decode(body, type=Chunk)
    except msgspec.MsgspecError as error:
        raise LedgerError(f"pack {number} is damaged: {error}") from None


def _write(store: Store, number: int, chunk: Chunk, new: bool) -> None:
    body = msgspec.msgpack.encode(chunk)
    if new:
        store.run("insert into pack (chunk, body) values (?, ?)", (number, body))
    else:
        store.run("update pack set body = ? where chunk = ?", (body, number))


def _bytes(column: array[Any]) -> bytes:
    """Little-endian, whatever the machine."""
    if sys.byteorder == "big":
        column = column[:]
        column.byteswap()
    return column.tobytes()


def _array(code: str, data: bytes) -> array[Any]:
    column = array(code)
    column.frombytes(data)
    if sys.byteorder == "big":
        column.byteswap()
    return column


class Held(msgspec.Struct, frozen=True):
    """The games that count, as a replay takes them: `line` is a game's id, `id` the number that settles ties.

    A player's name is the person's id, and an event's name its key, which does not depend on the order of arrival.
    """

    games: Games
    pending: int


def load(store: Store, pool: str | None = None, base: int = 0) -> Held:
    """The games of a pool (None: of all), from the day `base` on."""
    chunks = [_decoded(*row) for row in store.rows("select chunk, body from pack order by chunk")]
    persons = _persons(store)
    events, loose, inside = _events(store, pool)
    ranks = _ranks(store)
    count = sum(len(chunk.columns["score"]) for chunk in chunks)
    if count >= LARGE and _has_numpy():
        return _vector(chunks, persons, events, loose, inside, base, ranks)
    return _plain(chunks, persons, events, loose, inside, base, ranks)


def _ranks(store: Store) -> dict[int, int]:
    """By game, the place of the id it came with among all such ids, above every key."""
    ranks: dict[int, int] = {}
    rank, last = RANKS, None
    for text, game in store.rows("select id, game from given order by id, game"):
        rank += text != last
        ranks[game], last = rank, text
    return ranks


@cache
def _has_numpy() -> bool:
    return find_spec("numpy") is not None


def _persons(store: Store) -> list[int]:
    """For each person id, less one, the code of who it is now; people are coded by id, less one."""
    last = store.value("select max(id) from person") or 0
    codes = list(range(last))
    for person, merged in store.rows("select id, merged from person where merged is not null"):
        codes[person - 1] = merged - 1
    for code in range(last):
        while codes[code] != codes[codes[code]]:
            codes[code] = codes[codes[code]]
    return codes


def _events(store: Store, pool: str | None) -> tuple[list[Event], list[bool], list[bool]]:
    """Every event by id, less one; which are no events but games on their own; which belong to the pool."""
    found = store.rows("select key, pool, starts, ends, rated, loose from event order by id")
    events = [Event(f"{key:016x}", starts, ends, rated=rated) for key, _, starts, ends, rated, _ in found]
    return events, [bool(row[5]) for row in found], [pool is None or row[1] == pool for row in found]


def _tables(chunks: Iterable[Chunk]) -> tuple[list[tuple[float, float]], list[list[int]], list[str], list[list[int]]]:
    """One table of results and one of further facts, and where each chunk's own stand in them."""
    scores: dict[tuple[float, float], int] = {}
    mores: dict[str, int] = {}
    of_scores, of_mores = [], []
    for chunk in chunks:
        of_scores.append([scores.setdefault(pair, len(scores)) for pair in chunk.scores])
        of_mores.append([mores.setdefault(text, len(mores)) for text in chunk.mores])
    return list(scores), of_scores, list(mores), of_mores


def _plain(
    chunks: Sequence[Chunk],
    persons: Sequence[int],
    events: list[Event],
    loose: list[bool],
    inside: list[bool],
    base: int,
    ranks: Mapping[int, int],
) -> Held:
    scores, of_scores, mores, of_mores = _tables(chunks)
    columns = {name: array("q" if name == "key" else "i") for name in (*CODES, "line")}
    pending = before = 0
    for chunk, results, told in zip(chunks, of_scores, of_mores):
        held = [_array(code, chunk.columns[name]) for name, code in CODES.items()]
        for number, row in enumerate(zip(*held), before + 1):
            key, event, place, board, first, second, day, score, more = row
            if score == VOID or not inside[event - 1] or (base and day and day < base):
                continue
            if score == PENDING:
                pending += 1
                continue
            one, other = persons[first - 1], persons[second - 1]
            at = -1 if loose[event - 1] else event - 1
            values = (
                ranks.get(number, key >> 1),
                at,
                place,
                board,
                one,
                other,
                day,
                results[score],
                told[more] if more >= 0 else -1,
                number,
            )
            for name, value in zip(columns, values):
                columns[name].append(value)
        before += len(held[0])
    return Held(_games(columns, scores, mores, events, len(persons), pending), pending)


def _vector(
    chunks: Sequence[Chunk],
    persons: Sequence[int],
    events: list[Event],
    loose: list[bool],
    inside: list[bool],
    base: int,
    ranks: Mapping[int, int],
) -> Held:
    import numpy as np

    scores, of_scores, mores, of_mores = _tables(chunks)
    kinds = {"q": "<i8", "i": "<i4", "b": "i1"}
    columns: dict[str, Any] = {
        name: np.concatenate([np.frombuffer(chunk.columns[name], kinds[code]) for chunk in chunks])
        for name, code in CODES.items()
    }
    parts = [(np.frombuffer(c.columns["score"], "i1"), s) for c, s in zip(chunks, of_scores)]
    # Two more places, of which PENDING and VOID take the last ones.
    columns["score"] = np.concatenate([np.asarray([*s, VOID, PENDING], "i4")[part] for part, s in parts])
    told = [(np.frombuffer(c.columns["more"], "<i4"), m) for c, m in zip(chunks, of_mores)]
    columns["more"] = np.concatenate([np.asarray([*m, -1], "i4")[part] for part, m in told])
    columns["line"] = np.arange(1, len(columns["key"]) + 1, dtype="i4")
    columns["key"] = columns["key"] >> 1
    if ranks:
        columns["key"][np.fromiter(ranks, "i8", len(ranks)) - 1] = np.fromiter(ranks.values(), "i8", len(ranks))
    counts = columns["score"] != VOID
    if not all(inside):
        counts &= np.asarray(inside, bool)[columns["event"] - 1]
    if base:
        counts &= (columns["day"] == 0) | (columns["day"] >= base)
    pending = int((counts & (columns["score"] == PENDING)).sum())
    counts &= columns["score"] != PENDING
    if not counts.all():
        columns = {name: column[counts] for name, column in columns.items()}
    codes = np.asarray(persons, "i4")
    for side in ("first", "second"):
        columns[side] = codes[columns[side] - 1]
    columns["event"] = columns["event"] - np.int32(1)
    if any(loose):
        columns["event"] = np.where(np.asarray(loose, bool)[columns["event"]], np.int32(-1), columns["event"])
    return Held(_games(columns, scores, mores, events, len(persons), pending), pending)


def _games(
    columns: Mapping[str, Column],
    scores: Sequence[tuple[float, float]],
    mores: Sequence[str],
    events: Sequence[Event],
    persons: int,
    pending: int,
) -> Games:
    used = {name: columns[name] if _any(columns[name], 0) else None for name in ("round", "board", "day")}
    if any(event.end for event in events):  # games without a day of their own have their event's
        used["day"] = columns["day"]
    return Games(
        players=[str(number) for number in range(1, persons + 1)],
        first=columns["first"],
        second=columns["second"],
        score=columns["score"],
        scores=scores,
        date=used["day"],
        event=columns["event"] if _any(columns["event"], -1) else None,
        events=events,
        round=used["round"],
        board=used["board"],
        id=columns["key"],
        line=columns["line"],
        source="ledger",
        pending=pending,
        **_further(columns["more"], mores),
    )


def _any(column: Column, blank: int) -> bool:
    """Whether anything but the blank stands in a column."""
    if hasattr(column, "dtype"):
        return bool((column != blank).any())
    return any(value != blank for value in column)


def _further(more: Column, mores: Sequence[str]) -> dict[str, Any]:
    """The columns of facts that few games have, and dates that are not exact."""
    if not mores:
        return {}
    told: list[dict[str, Any]] = [msgspec.json.decode(text) for text in mores]
    found: dict[str, Any] = {}

    def column(code: str, values: list[Any]) -> Column:
        if hasattr(more, "dtype"):
            import numpy as np

            return np.asarray(values, DTYPES[code])[more]
        return array(code, [values[at] for at in more])

    for fact, (code, blank) in FACTS.items():
        if any(fact in each for each in told):
            found[fact] = column(code, [*(each.get(fact, blank) for each in told), blank])
    words = sorted({name for each in told for name in each.get("labels", {})})
    labels = {}
    for name in words:
        said = sorted({each["labels"][name] for each in told if name in each.get("labels", {})})
        places = {word: at for at, word in enumerate(said)}
        codes = [places.get(each.get("labels", {}).get(name), -1) for each in told]
        labels[name] = Labels(column("i", [*codes, -1]), said)
    if labels:
        found["labels"] = labels
    if any("partial" in each for each in told):
        at_once = [PartialDate.parse(each["partial"]) if "partial" in each else None for each in told]
        found["partial"] = {row: when for row, at in enumerate(more) if at >= 0 and (when := at_once[at]) is not None}
    return found
