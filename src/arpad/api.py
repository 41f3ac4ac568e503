"""arpad in Python: the functions behind `import arpad`.

    history = arpad.replay("games.csv", rules="elo")
    history.ratings().to_pandas()

Every table comes with the Arrow interface, so that any library of frames takes it as it is.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

import msgspec

from arpad import office
from arpad.model import Problem

if TYPE_CHECKING:
    from arpad.engine import Progress
    from arpad.explain import ChangeExplained
    from arpad.formats import Table
    from arpad.python_rules import PythonRules
    from arpad.rulebooks import Rulebook, Value
    from arpad.states import Checkpoint
    from arpad.views import Heading


class History(msgspec.Struct, frozen=True):
    """A replay that was carried out. Tables are made when they are asked for."""

    rated: office.Rated

    @property
    def heading(self) -> Heading:
        """Whose ratings these are, by which edition, and as of which day."""
        return self.rated.heading

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was left out or is worth a word, in the order of the files."""
        return self.rated.problems

    def ratings(self) -> Table:
        """One row a rated player: rank, player, rating (as published), rating_exact, games, peak, last_date.

        Where ratings have a deviation also: deviation (after the last game), deviation_now, low, high and mark (on the
        day of the list), and what else the system keeps.

        >>> import arpad
        >>> arpad.replay([arpad.Game("Anna", "Bruno", 1)]).ratings().rows()[0]["rating"]
        1516.0
        """
        from arpad.views import ratings

        return ratings(self.rated.history)

    def changes(self) -> Table:
        """One row a player and batch: date, event, player, before, after, change, games, score, expected, k."""
        from arpad.views import changes

        return changes(self.rated.history)

    def games(self) -> Table:
        """One row a player and game, in replay order: what each side had, was expected to score, and gained."""
        from arpad.views import games

        return games(self.rated.history)

    def explain(self, player: str, event: str | None = None) -> list[ChangeExplained]:
        """Every change of a player, down to the game and the clause; with `event`, those of that event.

        Raises UnknownName for a player or an event that is not there.

        >>> import arpad
        >>> history = arpad.replay([arpad.Game("Anna", "Bruno", 1)])
        >>> history.explain("Anna")[-1].after
        1516.0
        """
        return office.explain(self.rated, player, event)

    def checkpoint(self) -> Checkpoint:
        """All states at the end, to go on from: `replay(later_games, …, start=checkpoint)`."""
        return self.rated.history.checkpoint()

    def save_checkpoint(self, path: str | os.PathLike[str]) -> None:
        """Write the checkpoint to a JSON file, which `start=` also accepts."""
        from arpad.checkpoints import encode
        from arpad.formats import write_files

        data = encode(self.checkpoint())
        write_files({os.fspath(path): lambda file: file.write(data)})

    def __repr__(self) -> str:
        history = self.rated.history
        return f"<arpad.History: {self.heading.words()}; {len(history.games)} games, {len(history.players)} players>"


def replay(
    games: Any,
    rules: str | os.PathLike[str] | Rulebook | PythonRules = "elo",
    start: Any = None,
    on: date | None = None,
    acts: Any = None,
    settings: Mapping[str, Value] | None = None,
    strict: bool = True,
    progress: Progress | None = None,
    known: date | None = None,
) -> History:
    """Rate games under a rulebook.

    games     a path or several, a frame (pandas, polars, pyarrow, anything with the Arrow stream interface), or an
              iterable of `Game` or of dicts; columns date, event, round, white, black, result, or their aliases
    rules     name of a rulebook that ships (`fide/standard`, `elo:32/16`), path of a TOML file, or a Rulebook;
              or an object with `meet` and `settle`, or the path of a .py file that defines them (`arpad.python_rules`)
    start     ratings before the first game: {player: rating}, a path or frame with `player, rating`, `Start`s, or a
              checkpoint or the path of one
    on        games after this day are left out
    acts      dated entries, blends and corrections: a path, a frame, or `Act`s
    settings  values of parameters that the rulebook declares, such as {"k": 24}
    strict    refuse everything if a row is bad; otherwise bad rows are left out and stand in `problems`
    progress  called with (games done, games in all) now and then
    known     rate by the rules as they were known on this day, without what was announced later and took effect
              backwards: with `on`, what was published then

    Ratings are in points of the rulebook's scale. Raises DataError with all bad rows, UsageError for what cannot be
    done as it was asked, RulebookError for a rulebook that does not hold. The rules and their sources are what
    `arpad rules show` prints.

    >>> import arpad
    >>> games = [
    ...     {"white": "Anna", "black": "Bruno", "result": "1-0"},
    ...     {"white": "Bruno", "black": "Carla", "result": "½"},
    ... ]
    >>> history = arpad.replay(games, rules="elo", settings={"k": 24})
    >>> [(row["rank"], row["player"], row["games"]) for row in history.ratings().rows()]
    [(1, 'Anna', 1), (2, 'Carla', 1), (3, 'Bruno', 2)]
    """
    several = isinstance(games, Sequence) and not isinstance(games, (str, bytes)) and len(games) > 0
    paths = several and all(isinstance(each, (str, os.PathLike)) for each in games)
    rated = office.rate(
        games if paths else [games],
        rules,
        start=start,
        acts=acts,
        on=on,
        settings=settings or {},
        known=known,
        strict=strict,
        progress=progress,
    )
    return History(rated)


def expected_score(
    own: float,
    opponent: float,
    rules: str | os.PathLike[str] | Rulebook = "elo",
    on: date | None = None,
    settings: Mapping[str, Value] | None = None,
    deviations: tuple[float, float] | None = None,
) -> float:
    """The score, 0 to 1, that a player may expect from one game on neutral ground.

    `own` and `opponent` are ratings in points of the rulebook's scale; `on` chooses the edition (default: the last).
    `deviations` are the two rating deviations, for rules that know them (Glicko and its kin).
    Raises UsageError for numbers that cannot be ratings. The curve and its source are the rulebook's.

    >>> import arpad
    >>> round(arpad.expected_score(1613, 1609), 3)
    0.506
    >>> arpad.expected_score(1890, 1771, rules="asigc")
    0.66
    """
    return office.expected(own, opponent, rules, on, None, settings or {}, deviations).expectation.score


def performance(opponents: Sequence[float | None], score: float, method: str = "true") -> float | None:
    """The performance rating, in points, of `score` (points scored) against opponents with these ratings.

    `method` is one of `arpad performance --help`; without one it is the rating whose expected scores on the logistic
    curve of 400 add up to the score. None where the method has no answer, such as for a perfect score on
    a curve that never gives one. Raises UsageError for a score that these games cannot give, UnknownName for a method.

    >>> import arpad
    >>> round(arpad.performance([2400, 2500, 2600], score=2.5), 1)
    2792.2
    >>> arpad.performance([2400, 2500, 2600], score=2.5, method="fide")
    2773.0
    """
    return office.performance(opponents, score, method)[0].value
