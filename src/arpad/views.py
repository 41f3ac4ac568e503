"""What a replay is shown as: the list, the changes, the games. Nothing here computes a rating.

A table's columns are numpy's where those of the games are, lists or arrays otherwise. Blanks are None, nan or NaT.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from operator import mul
from typing import Any

import msgspec

from arpad import kernel
from arpad.arithmetic import ROUNDINGS
from arpad.columns import filled, is_numpy, made, runs_of_equals
from arpad.contests import contest_ids
from arpad.engine import NAN, History
from arpad.formats import Table
from arpad.going_on import carried
from arpad.leaving_out import LEFT_OUT
from arpad.model import Column, Games
from arpad.order import told_order
from arpad.rulebooks import label
from arpad.rulebooks.book import BEGINNING
from arpad.rulebooks.schema import Edition, Step
from arpad.settling import settled
from arpad.stretch import edition_of

#: Ordinal of numpy's day zero, 1970-01-01.
EPOCH = 719163

#: Why a game was not rated, by (player unrated) + 2 * (opponent unrated).
NOT_RATED = (
    "a player was not on the list that rates the event",
    "the player is unrated",
    "the opponent is unrated",
    "both players are unrated",
)
RULES_LEAVE_OUT = "the rules leave the game out"


#: As of which day a list stands, and what is said of one without dates, by language.
STANDS = {
    "en": ("as of {}", "games without dates"),
    "it": ("al {}", "partite senza data"),
    "es": ("a {}", "partidas sin fecha"),
}
EDITION = {"en": "edition of", "it": "edizione del", "es": "edición del"}


class Heading(msgspec.Struct, frozen=True):
    """What a rating is a rating of: whose list, by which edition, as it stands after which day (None: no dates)."""

    organisation: str
    rulebook: str
    title: Mapping[str, str]
    edition: str
    as_of: date | None

    def words(self, language: str = "en") -> str:
        """One line: `FIDE: FIDE rating, standard chess (fide/standard, edition of 2025-10-01), as of 2025-11-29`."""
        title = self.title.get(language) or self.title.get("en", self.rulebook)
        dated, undated = STANDS.get(language, STANDS["en"])
        stands = dated.format(self.as_of) if self.as_of else undated
        return f"{named(self.organisation, title)} ({edition_words(self.rulebook, self.edition, language)}), {stands}"


def named(organisation: str, name: str) -> str:
    """A name behind the body it belongs to, if any."""
    return name if organisation == "none" else f"{organisation}: {name}"


def edition_words(rulebook: str, edition: str, language: str = "en") -> str:
    """A rulebook and its edition; a rulebook whose first edition has no date is only named."""
    of = EDITION.get(language, EDITION["en"])
    return rulebook if edition == BEGINNING else f"{rulebook}, {of} {edition}"


def heading(history: History) -> Heading:
    """Body, list, edition and date of the ratings at the end of a replay."""
    book = history.rulebook
    as_of = date.fromordinal(history.as_of) if history.as_of else None
    return Heading(book.organisation, book.name, book.title, label(settling_edition(history)), as_of)


def settling_edition(history: History) -> Edition:
    """The edition by which a list at the end of a replay is printed."""
    return history.rulebook.editions[edition_of(history)]


def contests(history: History) -> int:
    """How many contests of several players there were; the games are their pairs."""
    return len({*contest_ids(history.games)} - {None})


def unrated(history: History) -> int:
    """How many players have no rating at the end; `ratings` leaves them out."""
    exact = history.state[:: history.system.width]
    return int((exact != exact).sum()) if is_numpy(exact) else sum(rating != rating for rating in exact)


def ratings(history: History) -> Table:
    """The list: one row a rated player, by rating, equal ratings by name; equal ratings share a rank (1, 2, 2, 4).

    Columns: rank, player, rating (as published: rounded as the edition says), rating_exact, games, peak (highest
    published), last_date (of a game in these files, or of the start list; blank if there is none); then what the system
    shows beside it: see `listed` of its module.
    """
    publish = settling_edition(history).publish
    exact = history.state[:: history.system.width]
    if is_numpy(exact):
        import numpy as np

        codes: Any = np.flatnonzero(exact == exact)
        shown = published(exact[codes], publish)
        order: Any = np.argsort(-shown, kind="stable")
    else:
        codes = [code for code, rating in enumerate(exact) if rating == rating]
        shown = published([exact[code] for code in codes], publish)
        order = sorted(range(len(codes)), key=lambda row: -shown[row])
    codes, shown = taken(codes, order), taken(shown, order)
    names = [history.players[code] for code in codes]
    ties = runs_of_equals([shown]) if names else []
    ranks = made("q", range(1, len(names) + 1), exact)
    for start, stop in ties:
        by_name = sorted(range(start, stop), key=names.__getitem__)
        codes[start:stop] = taken(codes, by_name)
        names[start:stop] = [names[row] for row in by_name]
        ranks[start:stop] = filled("q", start + 1, stop - start, exact)
    days = history.last_days
    return Table(
        "ratings",
        {
            "rank": ranks,
            "player": names,
            "rating": shown,
            "rating_exact": taken(exact, codes),
            "games": whole(taken(history.state[1 :: history.system.width], codes)),
            "peak": published(taken(history.state[2 :: history.system.width], codes), publish),
            "last_date": days_of(taken(days, codes)),
            **(history.system.listed(history, codes) if history.system.listed else {}),
            **carried(history, codes),
        },
    )


def with_other(listed: Table, name: str, other: Table) -> Table:
    """A list with one more column behind the rating: what the same players are rated on another one."""
    elsewhere = dict(zip(other.columns["player"], other.columns["rating"]))
    column = [elsewhere.get(player) for player in listed.columns["player"]]
    columns: dict[str, Column] = {}
    for each, values in listed.columns.items():
        columns[each] = values
        if each == "rating":
            columns[name] = column
    return Table(listed.name, columns)


def changes(history: History) -> Table:
    """One row a player and batch, in replay order: what it began and ended with, and what that rests on.

    Columns: date (of the game; of a batch its last day), event (blank where a batch is a period), player, before,
    after, change, games, score, expected, k; where ratings have them, deviation and volatility afterwards. Dated
    acts and one-off uplifts are no batches: the next `before` contains them.
    """
    if not history.arrangement.batches:
        return _rated_games(games(history))
    batches, segments, rows = history.arrangement.batches, history.plan.segments, history.recording.changes
    held = [batches[segments[row[0]].batch] for row in rows]
    by_event = history.rulebook.editions[-1].unit.of == "event"
    spreads = history.system.spreads
    event = _event_names(history.games)
    return Table(
        "changes",
        {
            "date": days_of([max(batch.after - 1, 0) for batch in held]),
            "event": [event[history.games.event[batch.start]] if by_event else None for batch in held],  # type: ignore[index]
            "player": [history.players[row[1]] for row in rows],
            "before": [row[2] for row in rows],
            "after": [row[3] for row in rows],
            "change": [row[3] - row[2] for row in rows],
            "games": [int(row[4]) for row in rows],
            "score": [row[5] for row in rows],
            "expected": [row[6] for row in rows],
            "k": [row[7] for row in rows],
            **({"deviation": [row[9] for row in rows]} if spreads else {}),
            **({"volatility": [row[11] for row in rows]} if _erratic(history) else {}),
        },
    )


def _rated_games(table: Table) -> Table:
    """The changes where every game is settled by itself."""
    rows: Any = [row for row, note in enumerate(table.columns["note"]) if note is None]
    if is_numpy(table.columns["k"]):
        import numpy as np

        rows = np.asarray(rows, "int64")
    columns = {name: taken(column, rows) for name, column in table.columns.items()}
    order = ["date", "event", "player", "before", "after", "change", "games", "score", "expected", "k"]
    if "deviation_after" in columns:
        columns["deviation"] = columns["deviation_after"]
        order += ["deviation", "volatility"] if "volatility" in columns else ["deviation"]
    columns["games"] = filled("q", 1, len(rows), rows)
    return Table("changes", {name: columns[name] for name in order})


def games(history: History) -> Table:
    """One row a player and game, in replay order.

    Columns: date, event, round, player, opponent, score, expected, before, opponent_before, after, change, k, note; and
    where ratings have them deviation and opponent_deviation as met, deviation_after and volatility.
    `opponent_before` is the rating that the expectation used. In a batch `before`, `after`, `k`, `deviation_after` and
    `volatility` are the batch's, and `change` is what the game alone brought, before rounding and bounds. `note` says
    why a game was not rated.
    """
    games, recording = history.games, history.recording
    before, after, k, spread = settled(history)
    if history.arrangement.batches:
        change = k * recording.gains if is_numpy(k) else list(map(mul, k, recording.gains))
    else:
        change = _differences(after, before, recording.gains)
    both = [[pair[side] for pair in games.scores] for side in (0, 1)]
    blank = filled("i", 0, len(games), games.first)
    codes = _interleaved(games.first, games.second)
    names = history.players
    date_column = days_of(_doubled(games.date if games.date is not None else blank))
    event_codes = games.event if games.event is not None else filled("i", -1, len(games), games.first)
    columns = {
        "date": date_column,
        "event": taken(_event_names(games), _doubled(event_codes)),
        "round": _without_zeros(_doubled(games.round if games.round is not None else blank)),
        "player": taken(names, codes),
        "opponent": taken(names, _interleaved(games.second, games.first)),
        "score": _interleaved(*(taken(values, games.score) for values in both)),
        "expected": _interleaved(recording.expects, recording.expects_second),
        "before": before,
        "opponent_before": _interleaved(recording.before[1::2], recording.before[::2]),
        **_deviations(spread, _erratic(history)),
        "after": after,
        "change": change,
        "k": k,
        "note": taken([*NOT_RATED, RULES_LEAVE_OUT, None], _reasons(history)),
    }
    order = told_order(history.arrangement)
    if order is not None:
        columns = {name: taken(column, _interleaved(2 * order, 2 * order + 1)) for name, column in columns.items()}
    return Table("games", columns)


def _erratic(history: History) -> bool:
    """Whether the rules know a volatility."""
    return any(edition.volatility for edition in history.rulebook.editions)


def _deviations(spread: Column, erratic: bool) -> dict[str, Column]:
    """The deviations with which two sides met, and what came of the own one; nothing where ratings have none."""
    if not len(spread):
        return {}
    met = spread[0::4]
    told = {"deviation": met, "opponent_deviation": _interleaved(met[1::2], met[::2])}
    return {**told, "deviation_after": spread[1::4], **({"volatility": spread[3::4]} if erratic else {})}


def _reasons(history: History) -> Column:
    """For each side of each game where its `note` stands among the reasons; the last one, -1, is no reason."""
    recording, flags = history.recording, history.plan.columns["flags"]
    own, opponent = recording.before, _interleaved(recording.before[1::2], recording.before[::2])
    rated = recording.gains
    left_out = _doubled(flags) if len(flags) else filled("B", 0, len(rated), history.games.first)
    if is_numpy(rated):
        import numpy as np

        reason = np.where(left_out & LEFT_OUT, len(NOT_RATED), (own != own) + 2 * (opponent != opponent))
        return np.where(rated == rated, -1, reason)
    return [
        -1 if e == e else len(NOT_RATED) if flag & LEFT_OUT else (a != a) + 2 * (b != b)
        for e, flag, a, b in zip(rated, left_out, own, opponent)
    ]


def _event_names(games: Games) -> list[str | None]:
    """Names by code; the last one, -1, is blank."""
    return [*(event.name for event in games.events), None]


def published(values: Column, step: Step) -> Column:
    """Ratings as a list shows them; whole numbers where the edition rounds to whole numbers."""
    if step.rule == "none":
        return values
    rule = float(ROUNDINGS.index(step.rule))
    rounded = [kernel.round_to(value, rule, step.to) for value in (values.tolist() if is_numpy(values) else values)]
    if is_numpy(values):
        import numpy as np

        return np.asarray(rounded, "int64" if step.to % 1 == 0 else "float64")
    return whole(rounded) if step.to % 1 == 0 else rounded


def whole(values: Column) -> Column:
    return values.astype("int64") if is_numpy(values) else [int(value) for value in values]


def days_of(days: Column) -> Column:
    """Ordinals as dates; 0 as a blank."""
    if is_numpy(days):
        import numpy as np

        dates = (days.astype("int64") - EPOCH).astype("datetime64[D]")
        dates[days == 0] = np.datetime64("NaT")
        return dates
    return [date.fromordinal(day) if day else None for day in days]


def _without_zeros(numbers: Column) -> Column:
    """Numbers of which 0 means that nothing is known."""
    if not is_numpy(numbers):
        return [number or None for number in numbers]
    unknown = numbers == 0
    if unknown.any():
        numbers = numbers.astype(object)
        numbers[unknown] = None
    return numbers


def taken(values: Sequence[Any] | Column, codes: Column) -> Column:
    """values[code] for each code; a code of -1 takes the last value."""
    if not is_numpy(codes):
        return [values[code] for code in codes]
    import numpy as np

    if is_numpy(values):
        return values[codes]
    kind = "float64" if values and isinstance(values[0], float) else object
    return np.asarray(values, kind)[codes]


def _doubled(column: Column) -> Column:
    return _interleaved(column, column)


def _interleaved(first: Column, second: Column) -> Column:
    """What stands at 2 * row and at 2 * row + 1."""
    if is_numpy(first):
        import numpy as np

        return np.column_stack((first, second)).ravel()
    return [value for pair in zip(first, second) for value in pair]


def _differences(after: Column, before: Column, gains: Column) -> Column:
    """after - before where the game was rated, which its gain says."""
    if is_numpy(after):
        import numpy as np

        return np.where(gains == gains, after - before, NAN)
    return [a - b if gain == gain else NAN for a, b, gain in zip(after, before, gains)]
