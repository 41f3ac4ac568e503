"""One function for each thing that arpad can do: the only door for the faces.

Each reads what it is given, collects what is wrong with it, and returns a frozen record; nothing is printed here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from arpad.errors import DataError, UsageError
from arpad.model import Act, Games, Problem, Start

if TYPE_CHECKING:
    from arpad.engine import History, Progress
    from arpad.expectation import Differences, Expectation, Outcomes, TableRow
    from arpad.explain import ChangeExplained
    from arpad.formats import Reading
    from arpad.formats.examine import Checked
    from arpad.formats.report import Finding
    from arpad.performances import Performance
    from arpad.rulebooks import Rulebook, Value
    from arpad.states import Checkpoint
    from arpad.views import Heading

#: Up to so many games it costs next to nothing to see who ever met whom.
MOST_FOR_GROUPS = 2_000_000


class Rated(msgspec.Struct, frozen=True):
    """Games that were rated. `problems` holds what was left out and what is worth a word.

    `groups` are the sizes of the groups of players that never met, where nothing but these games sets the scale;
    empty if a start list sets it too, or if there are too many games to look.
    """

    history: History
    heading: Heading
    problems: tuple[Problem, ...]
    groups: tuple[int, ...]

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(problem for problem in self.problems if problem.severity == "error")


class Expected(msgspec.Struct, frozen=True):
    """An expected score, what it leaves open for win, draw and loss, and what is doubtful about the question."""

    expectation: Expectation
    outcomes: Outcomes
    opponent_outcomes: Outcomes
    basis: str
    warnings: tuple[str, ...]


def rate(
    games: Sequence[Any],
    rules: Any = "elo",
    *,
    start: Any = None,
    acts: Any = None,
    on: date | None = None,
    settings: Mapping[str, Value] = {},
    known: date | None = None,
    strict: bool = True,
    reading: Reading | None = None,
    progress: Progress | None = None,
) -> Rated:
    """Rate the games of one or more sources under a rulebook.

    `games`: sources that `formats.read_games` takes, read as one. `start`: ratings before the first game (a source of
    `formats.read_start`, a mapping player -> rating, `Start`s) or a checkpoint or its file. `acts`: a source of
    `formats.read_acts`, or `Act`s. `rules` may be Python: see `python_rules`. `known`: by the rules as they were
    known on that day. Bad rows are refused together, by a DataError; unless `strict`, they are left out.
    """
    from arpad.classify import misspelt
    from arpad.columns import sound
    from arpad.engine import replay
    from arpad.formats import read_games
    from arpad.going_on import overtaken
    from arpad.plan import unanswered
    from arpad.python_rules import book_of, is_python, rules_of
    from arpad.states import Checkpoint
    from arpad.views import heading

    for name, day in (("on", on), ("known", known)):
        if day is not None and not isinstance(day, date):
            raise UsageError(f"{name}: {day!r} is not a date")
    python = rules_of(rules) if is_python(rules) else None
    if python and settings:
        raise UsageError("rules written in Python declare no parameters: change them there")
    book = book_of(python) if python else rulebook(rules, settings, known)
    read = [(sound(each), []) if isinstance(each, Games) else read_games(each, reading) for each in games]
    whole, repeated = _whole([part for part, _ in read])
    beginning, about_start = _beginning(start, reading)
    dated, about_acts = _acts(acts, reading)
    problems = [problem for _, found in read for problem in found] + repeated + about_start + about_acts
    problems += _alike([*(part.players for part, _ in read), _named_in(beginning), [act.player for act in dated]])
    refused = [problem for problem in problems if problem.severity == "error"]
    if strict and refused:
        raise DataError(refused)
    history = replay(whole, book, beginning, dated, on, progress, python=python)
    problems += [*unanswered(history.games, book, history.born), *misspelt(history.games, book)]
    if not isinstance(beginning, Checkpoint):
        problems += overtaken(book, history.arrangement, history.lasts)
    alone = not isinstance(beginning, Checkpoint) and not beginning and not dated
    return Rated(history, heading(history), (*problems, *history.problems), _groups(history) if alone else ())


def rulebook(
    rules: str | os.PathLike[str] | Rulebook, settings: Mapping[str, Value] = {}, known: date | None = None
) -> Rulebook:
    """A rulebook by name or path, with parameters set, as it was `known` on a day; one that was read already comes as
    it is."""
    from arpad.rulebooks import Rulebook, load

    if not isinstance(rules, (str, os.PathLike, Rulebook)):
        raise UsageError(f"rules: {rules!r} is neither the name of a rulebook, nor a path, nor a Rulebook")
    if not isinstance(rules, Rulebook):
        return load(os.fspath(rules), settings, known)
    if settings or known:
        raise UsageError(f"{rules.name} has been read already: settings, and `known`, are given when it is loaded")
    return rules


def explain(rated: Rated, player: str, event: str | None = None) -> list[ChangeExplained]:
    """Every change of a player in order, or those of an event. Raises UnknownName for either."""
    from arpad.explain import explain as explained

    return explained(rated.history, player, event)


def words(changes: list[ChangeExplained], language: str = "en", player: str = "") -> list[str]:
    """Explained changes as lines of text; of a `player` without any, a line that says so."""
    from arpad.sentences import nothing
    from arpad.sentences import words as sentences

    return [nothing(player, language)] if player and not changes else sentences(changes, language)


def expected(
    own: str | float,
    opponent: str | float,
    rules: str | os.PathLike[str] | Rulebook | None = None,
    on: date | None = None,
    home: Literal["own", "opponent"] | None = None,
    settings: Mapping[str, Value] = {},
    deviations: tuple[float, float] | None = None,
) -> Expected:
    """The expected score of one game.

    A rating may say whose it is (`FIDE:2638`), and how uncertain it is (`1500/80`, a deviation of 80). Ratings of two
    bodies, or of another body than the rules', are warned about. Raises UsageError for numbers that cannot be ratings.
    """
    from arpad.expectation import expected as expectation_of
    from arpad.expectation import outcomes, validate_rating
    from arpad.views import edition_words, named

    bodies, ratings, uncertain = zip(*(_body_and_rating(each) for each in (own, opponent)))
    first, second = (validate_rating(rating) for rating in ratings)
    if any(uncertain):
        if not all(uncertain) or deviations:
            raise UsageError("a deviation is given for one of the two ratings: give both, such as 1500/80, or none")
        deviations = (validate_rating(uncertain[0], "deviation"), validate_rating(uncertain[1], "deviation"))
    book = rulebook("elo" if rules is None else rules, settings)
    asked = book if rules is not None or settings else None
    found = expectation_of(first, second, asked, on, home, deviations=deviations)
    whose = (*bodies, book.organisation if rules is not None else "none")
    different = list({body.casefold(): body for body in whose if body not in ("", "none")}.values())
    warnings = []
    if len(different) > 1:
        warnings.append(
            f"{' and '.join(different)} rate on scales of their own: this expectation is none that either would state"
        )
    allowed = outcomes(found.score), outcomes(found.opponent_score)
    basis = named(book.organisation, edition_words(found.rules, found.edition))
    return Expected(found, *allowed, basis, tuple(warnings))


def difference_for(
    score: str | float,
    rules: str | os.PathLike[str] | Rulebook | None = None,
    on: date | None = None,
    opponent: float | None = None,
    settings: Mapping[str, Value] = {},
) -> Differences:
    """The rating differences that give an expected score."""
    from arpad.expectation import difference_for as inverted

    return inverted(score, None if rules is None else rulebook(rules, settings), on, opponent, _unless(rules, settings))


def expected_table(
    rules: str | os.PathLike[str] | Rulebook | None = None,
    on: date | None = None,
    opponent: float | None = None,
    settings: Mapping[str, Value] = {},
) -> list[TableRow]:
    """The whole table of expected scores, as Élő's and FIDE's are printed."""
    from arpad.expectation import table

    return table(None if rules is None else rulebook(rules, settings), on, opponent, _unless(rules, settings))


def curve_notes(
    rules: str | os.PathLike[str] | Rulebook | None = None, settings: Mapping[str, Value] = {}
) -> tuple[str, ...]:
    """What is to be said of a table of expected scores."""
    from arpad.curves import basis

    return basis(None if rules is None else rulebook(rules, settings), settings=_unless(rules, settings)).notes


def performance(
    opponents: Sequence[str | float | None],
    score: str | float | None = None,
    method: str = "true",
    *,
    results: Sequence[str | float | None] | None = None,
    rules: str | None = None,
) -> list[Performance]:
    """Performance ratings by one method, or by `all` of them. `rules` gives the curve of those that take any."""
    from arpad.performances import METHODS
    from arpad.performances import performance as performance_of

    def takes_rules(name: str) -> bool:
        return bool(getattr(METHODS[name], "open", False))

    names = list(METHODS) if method == "all" else [method]
    curves = {name: rules if method != "all" or takes_rules(name) else None for name in names}
    return [performance_of(opponents, score, name, results=results, rules=curves[name]) for name in names]


def performance_method(name: str) -> tuple[str, str]:
    """What a performance method does, and its source."""
    from arpad.performances import METHODS

    return METHODS[name].text, METHODS[name].source


def entries(text: str) -> tuple[list[float | None], list[float | None]]:
    """Ratings and results of entries typed in, such as `1850:1 1725:=`. Raises DataError naming each bad one."""
    from arpad.performances import parse_results

    read = parse_results(text)
    return [entry.rating for entry in read], [entry.score for entry in read]


def rules_list() -> list[dict[str, str | int]]:
    """Every rulebook that ships, a row each."""
    from arpad.rulebooks.views import listing

    return listing()


def rules_show(
    rules: str | Rulebook, on: date | None = None, language: str = "en"
) -> tuple[Rulebook, list[dict[str, str]]]:
    """A rulebook, and its edition of a day clause by clause."""
    from arpad.rulebooks.views import show

    book = rulebook(rules)
    return book, show(book, on, language)


def rules_history(book: Rulebook, language: str = "en") -> list[dict[str, str]]:
    """The editions of a rulebook, a row each."""
    from arpad.rulebooks.views import editions

    return editions(book, language)


def rules_diff(rules: str, before: date, after: date) -> list[dict[str, str]]:
    """What changed in a rulebook between two days, clause by clause."""
    from arpad.rulebooks.views import diff

    return diff(rulebook(rules), before, after)


def check(path: str, reading: Reading | None = None) -> Checked:
    """Everything that is wrong with a report or a table of games, with what could be done about it."""
    from arpad.formats.examine import check as examined

    return examined(path, reading)


def repair(checked: Checked, accepted: Sequence[Finding], target: str, comment: str) -> tuple[Checked, tuple[str, ...]]:
    """Write a report with the repairs that were accepted; what is left to find, and what was done, in words."""
    from arpad.formats.examine import mend

    return mend(checked, accepted, target, comment)


def convert(source: str, target: str, reading: Reading | None = None, event: str | None = None) -> list[Problem]:
    """Write what a file holds as another kind of file; everything that was found or left out."""
    from arpad.formats.convert import convert as converted

    return converted(source, target, reading, event)


def _whole(parts: Sequence[Games]) -> tuple[Games, list[Problem]]:
    if len(parts) == 1:
        return parts[0], []
    from arpad.merging import merged

    return merged(parts)


def _beginning(source: Any, reading: Reading | None) -> tuple[Iterable[Start] | Checkpoint, list[Problem]]:
    from arpad.formats import read_start
    from arpad.states import Checkpoint

    if source is None:
        return [], []
    if isinstance(source, Checkpoint):
        return source, []
    if isinstance(source, Mapping):
        return [Start(str(player), _rating(player, rating)) for player, rating in source.items()], []
    if isinstance(source, (str, os.PathLike)):
        found = _checkpoint(os.fspath(source))
        return (found, []) if found else read_start(source, reading)
    if isinstance(source, Sequence) and all(isinstance(each, Start) for each in source):
        return source, []
    return read_start(source, reading)


def _rating(player: object, rating: Any) -> float | None:
    try:
        return None if rating is None else float(rating)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"start: the rating of {player!r} is {rating!r}, which is no number") from None


def _checkpoint(path: str) -> Checkpoint | None:
    """The checkpoint in a file that says that it is one."""
    from arpad.checkpoints import HEAD, decode, is_checkpoint

    if not os.path.isfile(path):  # what is left of a pipe is for the reader of start lists, which says what is wrong
        return None
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD)
            return decode(head + file.read(), path) if is_checkpoint(head) else None
    except OSError:
        return None


def _named_in(beginning: Iterable[Start] | Checkpoint) -> Sequence[str]:
    from arpad.states import Checkpoint

    return beginning.players if isinstance(beginning, Checkpoint) else [start.player for start in beginning]


def _alike(sources: Sequence[Sequence[str]]) -> list[Problem]:
    """A word on names that differ only in case, spaces or accents from one source to another; each reader looks at its
    own."""
    from arpad.formats.names import near_same, shown

    names = dict.fromkeys(name for source in sources for name in source)
    if len(names) == max(map(len, sources)):
        return []
    own = [set(source) for source in sources]
    groups = [group for group in near_same(list(names)) if not any(names >= set(group) for names in own)]
    return [Problem(shown(groups), severity="warning")] if groups else []


def _acts(source: Any, reading: Reading | None) -> tuple[Iterable[Act], list[Problem]]:
    from arpad.formats import read_acts

    if source is None:
        return [], []
    if isinstance(source, Sequence) and not isinstance(source, str) and all(isinstance(each, Act) for each in source):
        return source, []
    return read_acts(source, reading)


def _groups(history: History) -> tuple[int, ...]:
    from arpad.pools import groups

    return tuple(groups(history.games)) if len(history.games) <= MOST_FOR_GROUPS else ()


def _body_and_rating(given: str | float) -> tuple[str, str | float, str]:
    """Whose rating, the rating, and its deviation; blank where not said."""
    body, _, rest = str(given).rpartition(":")
    rating, _, deviation = rest.partition("/")
    return body.strip(), rating if rest != str(given) or deviation else given, deviation.strip()


def _unless(rules: object, settings: Mapping[str, Value]) -> Mapping[str, Value]:
    """Settings of the rulebook that nobody named; those of one that was named are in it already."""
    return settings if rules is None else {}
