"""Which games are rated, and what a rulebook reads out of them first: how much they count, what a shoot-out is worth.

A games file may say both itself (`importance`, `knockout`); what it says goes before what a table of tournaments finds.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from datetime import date
from typing import Any

from msgspec.structs import replace

from arpad.columns import is_numpy, made
from arpad.errors import DataError, RulebookError
from arpad.model import Games, Problem
from arpad.order import reordered
from arpad.rulebooks.book import Rulebook
from arpad.rulebooks.tables import Tournament, about, find_tournament, shares, tournaments


def classified(games: Games, rulebook: Rulebook) -> Games:
    """Games with importance and knock-out filled in and shoot-outs scored, as far as the rulebook asks."""
    return _weighed(_shared(_shot_out(games, rulebook), rulebook), rulebook)


def _weighed(games: Games, rulebook: Rulebook) -> Games:
    files = {edition.importance.file for edition in rulebook.editions if edition.importance}
    if not files or not len(games):
        return games
    asked = {edition.importance.of for edition in rulebook.editions if edition.importance}
    if len(asked) > 1:
        raise RulebookError(f"{rulebook.name}: importance goes by {' and by '.join(sorted(asked))}; one is accepted")
    column = asked.pop()
    tournament = games.labels.get(column)
    if tournament is None:
        if games.importance is not None:
            return games
        text = f"the rulebook weighs games by {column}: a {column} or an importance column is needed"
        raise DataError([Problem(text, games.source)])
    tables = {file: tournaments(rulebook.tables[file]) for file in files}
    found: dict[tuple[int, int], Tournament | None] = {}
    rows: dict[tuple[str, str], list[Tournament]] = {}
    weights = array("d")
    knockouts = array("B")
    unknown: dict[str, int] = {}
    for row in range(len(games)):
        day = int(games.date[row]) if games.date is not None else 0
        code = int(tournament.codes[row])
        key = code, day
        if key not in found:
            clause = rulebook.on(day).importance
            name = tournament.names[code] if code >= 0 else ""
            if clause and (clause.file, name) not in rows:
                rows[clause.file, name] = about(tables[clause.file], name)
            found[key] = find_tournament(rows[clause.file, name], name, day) if clause else None
        match = found[key]
        weight = float(games.importance[row]) if games.importance is not None else float("nan")
        knockout = int(games.knockout[row]) if games.knockout is not None else 2
        if weight != weight:
            weight = match.importance if match else float("nan")
            if match is None:
                unknown.setdefault(tournament[row], row)
        weights.append(weight)
        knockouts.append(knockout if knockout != 2 else bool(match and match.knockout))
    if unknown:
        raise DataError(
            [
                Problem(
                    f"{column} {name!r} is not in the rulebook's table",
                    games.source,
                    int(games.line[row]) if games.line is not None else 0,
                    hint="give the game an importance of its own",
                )
                for name, row in unknown.items()
            ]
        )
    like = games.first
    return replace(games, importance=made("d", weights, like), knockout=made("B", knockouts, like))


def misspelt(games: Games, rulebook: Rulebook) -> Iterator[Problem]:
    """A word on tournaments that count as any other, and whose names are nearly those of ones that do not."""
    from difflib import get_close_matches

    for clause in {
        edition.importance.file: edition.importance for edition in rulebook.editions if edition.importance
    }.values():
        labels = games.labels.get(clause.of)
        named = [row for row in tournaments(rulebook.tables[clause.file]) if row.pattern.strip("*")]
        known = {row.pattern.strip("*").casefold(): row.pattern for row in named}
        for name in labels.names if labels is not None else ():
            if any(row.called(name) for row in named):
                continue
            for near in get_close_matches(name.casefold(), known, n=1, cutoff=0.92):
                text = f"{clause.of} {name!r} counts as any other; {known[near]!r} is in the rulebook's table"
                hint = "if that is meant, write it so"
                yield Problem(text, games.source, hint=hint, severity="warning")


def _shot_out(games: Games, rulebook: Rulebook) -> Games:
    """Where the rules share a shoot-out out unevenly, the score of such a game is the rulebook's, not the draw's."""
    if games.shootout is None or all(
        (edition.score.shootout_winner, edition.score.shootout_loser) == (0.5, 0.5) for edition in rulebook.editions
    ):
        return games
    scores = list(games.scores)
    codes = {pair: code for code, pair in enumerate(scores)}
    score = array("i", games.score)
    for row, winner in enumerate(games.shootout):
        level = scores[score[row]][0] == scores[score[row]][1]
        if winner and level:  # a match won before the shoot-out (of a tie over two legs) stays as it was
            rule = rulebook.on(int(games.date[row]) if games.date is not None else None).score
            pair = (
                (rule.shootout_winner, rule.shootout_loser)
                if winner == 1
                else (rule.shootout_loser, rule.shootout_winner)
            )
            if pair not in codes:
                codes[pair] = len(scores)
                scores.append(pair)
            score[row] = codes[pair]
    return replace(games, score=made("i", score, games.first) if is_numpy(games.first) else score, scores=scores)


def until(games: Games, on: date | None) -> Games:
    """Games up to a day; those without a date stay."""
    if on is None or games.date is None:
        return games
    last = on.toordinal()
    if is_numpy(games.date):
        import numpy as np

        keep: Any = np.flatnonzero(games.date <= last)
    else:
        keep = [row for row, day in enumerate(games.date) if day <= last]
    return games if len(keep) == len(games) else reordered(games, keep)


def _shared(games: Games, rulebook: Rulebook) -> Games:
    """Where goals share the point out, the score of a game is what the rulebook's table gives for them."""
    tables = {
        edition.score.file: shares(rulebook.tables[edition.score.file])
        for edition in rulebook.editions
        if edition.score.file
    }
    if not tables or not len(games):
        return games
    if games.margin is None or games.fewer is None:
        raise DataError([Problem("the rulebook shares the point by goals: both sides' goals are needed", games.source)])
    scores = list(games.scores)
    codes = {pair: code for code, pair in enumerate(scores)}
    found = array("i")
    problems = []
    for row, (margin, fewer) in enumerate(zip(games.margin, games.fewer)):
        pair = scores[games.score[row]]
        file = rulebook.on(int(games.date[row]) if games.date is not None else None).score.file
        if file and not (float(margin).is_integer() and float(fewer).is_integer()):
            line = int(games.line[row]) if games.line is not None else 0
            problems.append(
                Problem("goals are whole numbers, and the rules need those of both sides", games.source, line)
            )
        elif file:
            goals = min(int(fewer), len(tables[file]) - 1)
            share = tables[file][goals][min(abs(int(margin)), len(tables[file][goals]) - 1)]
            pair = (share, share) if margin == 0 else (1 - share, share) if margin > 0 else (share, 1 - share)
        found.append(codes.setdefault(pair, len(codes)))
    if problems:
        raise DataError(problems)
    return replace(games, score=made("i", found, games.first), scores=list(codes))
