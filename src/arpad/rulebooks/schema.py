"""What a rulebook may say: the closed vocabulary of editions, clause by clause.

A clause is a frozen record; its fields are the keys of its TOML table. Every clause may carry `article`, `source`,
`status = "unsure"` and `text`, a paraphrase keyed by language. Clauses that choose are decision tables: rows in
order, the first row whose `when` holds wins, the last row has no `when`.

Numbers may be given as `"$name"`, a parameter that the rulebook declares under `[parameters]`.

Over 400 lines because the grammar of Elo is one vocabulary; other systems' clauses are in `schema_<system>.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal

import msgspec

from arpad.rulebooks import schema_bayrate as bayrate
from arpad.rulebooks import schema_glicko as glicko
from arpad.rulebooks import schema_library as library
from arpad.rulebooks import schema_multiplayer as multiplayer
from arpad.rulebooks import schema_national as national
from arpad.rulebooks import schema_uschess as us
from arpad.rulebooks.clause import Clause
from arpad.rulebooks.schema_harkness import Harkness

#: What a `when` may ask, as `<fact>_from` (inclusive) and `<fact>_below` (exclusive). Four are a game's: a score
#: is what the player made of it, 0 to 1, and only a cap may ask it; batch_games are for K.
FACTS = ("rating", "games", "peak", "age", "opponent_rating", "difference", "opponent_games", "score", "batch_games")

Rounding = Literal["none", "half away from zero", "half up", "half even", "down"]


class Ramp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Straight lines through `points` (fact, value), flat before the first and after the last."""

    of: Literal["rating", "games", "peak", "age", "opponent_games"]
    points: list[tuple[float, float]]


class Power(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """scale / (fact + offset) ** exponent."""

    of: Literal["rating", "games", "peak", "age", "batch_games"]
    scale: float
    offset: float = 0.0
    exponent: float = 1.0


class Fall(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """((limit - fact) / divisor) ** exponent, and 0 from the limit on."""

    of: Literal["rating", "games", "peak", "age"]
    limit: float
    divisor: float
    exponent: float


class Bend(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """scale * ln(1 + e ** ((limit - fact) / divisor)): a straight fall that bends to nothing about the limit."""

    of: Literal["rating", "games", "peak", "age"]
    limit: float
    divisor: float
    scale: float


class Row(Clause, frozen=True):
    """A row of a decision table: a number, or how to make one from a fact of the player."""

    when: dict[str, float] = msgspec.field(default_factory=dict)
    value: float | None = None
    ramp: Ramp | None = None
    power: Power | None = None
    fall: Fall | None = None
    bend: Bend | None = None
    of: Literal["", "importance"] = ""  # the number is the game's importance


class Curve(Clause, frozen=True):
    """Expected score from a rating difference.

    logistic     1 / (1 + base ** (-d / scale))
    normal       the normal distribution function of d / deviation, as printed with `decimals` (0: unrounded)
    table        as printed in `file`; `lookup` says how a fractional difference finds its row
    line         0.5 + d * slope, within least and 1 - least
    exponential  1 / (1 + exp(-d / a)), a = max(least, top - weaker rating / divisor)
    power        1 / (1 + ((limit - own) / (limit - opponent)) ** exponent)
    none         is not written: a system without a curve has it
    `deficit`: both sides' expected scores together lack so much of one point.
    """

    shape: Literal["logistic", "normal", "table", "line", "exponential", "power", "none"]
    scale: float = 400.0
    base: float = 10.0
    deviation: float = 0.0
    decimals: int = 0
    file: str = ""
    lookup: Literal["exact", "below", "nearest", "above"] = "exact"
    slope: float = 0.0
    least: float = 0.0
    top: float = 0.0
    divisor: float = 0.0
    limit: float = 0.0
    exponent: float = 0.0
    deficit: float = 0.0


class Difference(Clause, frozen=True):
    """How the two ratings make a difference.

    `advantage` is added to the first-named side unless the ground is neutral. `expectation`: of each game, or of the
    event's mean opponent. `upgrades`: of the games whose capped difference favours the stronger player,
    only so many an event (0: all).
    """

    advantage: float = 0.0
    expectation: Literal["game", "mean opponent"] = "game"
    upgrades: int = 0


class Provisional(Clause, frozen=True):
    """The rating of who began a batch with fewer than `games` is the mean of what all games so far were worth: the
    opponent's rating, and `points` more for a win, less for a loss. K and expected score have no part in it.

    An unrated player gets a rating of the first batch with a rated opponent. `against_provisional`: the opponent's
    rating counts as it is, or `halfway`: the mean of both ratings, and half the points. The start of an edition's
    `entry` is what a newcomer's opponents meet; with no game behind it, it does not enter the newcomer's own mean.
    """

    games: float
    points: float
    against_provisional: Literal["as it is", "halfway"] = "as it is"


class Surprise(Clause, frozen=True):
    """A factor by how surprising the result was: q = |score - expected| / sqrt(expected * (1 - expected)).

    `steps` are (least q, factor), largest q first; below the last one the factor is 1. `certain` is the factor where
    the expected score is 0 or 1 and the result denies it. `of`: each game is looked at by itself, or all of a batch at
    once, with sums of scores and expectations, and the root of the sum of expected * (1 - expected).
    """

    steps: list[tuple[float, float]]
    certain: float = 1.0
    of: Literal["game", "batch"] = "game"


class Margin(Clause, frozen=True):
    """A factor by the margin of victory (m = goals or points between the sides, at least 1 unless said).

    goals   `points` by m as printed; beyond the last, last + `step` for each further goal
    log     ln(max(m, 1) + 1) * scale / (scale + slope * winner's difference); for a tie the divisor is 1
    power   (max(m, 1) + offset) ** exponent / (scale + slope * winner's difference), which is 0 for a tie
    line    scale + slope * m, with m at most `most` (0: no bound)
    The winner's difference contains the advantage. A divisor is never taken as less than a tenth of `scale`.
    """

    shape: Literal["goals", "log", "power", "line"]
    points: list[float] = msgspec.field(default_factory=list)
    step: float = 0.0
    scale: float = 0.0
    slope: float = 0.0
    offset: float = 0.0
    exponent: float = 1.0
    most: float = 0.0


class WinBonus(Clause, frozen=True):
    """What winning a game brings beside K: (base - d) / divisor where the difference d, as capped, is below `below`,
    times what the table `win_bonus_share` gives for the winner."""

    base: float
    divisor: float
    below: float


class Length(Clause, frozen=True):
    """Matches are played to so many points, and a longer one tells more: the root of its `length` multiplies both the
    difference and what is at stake. `experience`: what counts as `games` is the sum of the lengths."""

    experience: bool = True
    default: float = 1.0  # of a match that does not say


class Importance(Clause, frozen=True):
    """How a game's importance is found when the games file does not say it: a table of tournaments and dates.

    `of` is the column of the games that is looked up: the tournament, or the surface that was played on.
    CSV columns: tournament (`*` matches any run of characters), from, until (inclusive; blank = open), importance,
    knockout (0 or 1), note. The first row that matches wins.
    """

    file: str
    of: Literal["tournament", "surface"] = "tournament"


class Score(Clause, frozen=True):
    """What the sides score in a match decided by a shoot-out, and in every match where goals share the point out.

    `file` gives the share, in percent, of the side that did not win: a row for each number of goals it made, a column
    for each goal it lost by; the last row and the last column are open. Column 0 is for both sides of a draw.
    """

    shootout_winner: float = 0.5
    shootout_loser: float = 0.5
    file: str = ""


class Limit(Clause, frozen=True):
    """K times the games of a batch may not exceed `product`; K is then floor(product / games)."""

    product: float


class Handicap(Clause, frozen=True):
    """A handicap stone counts as `stone` points more for the second-named side, `less` stones fewer than there are.

    The other numbers of the rules (K, floors) go by the rating itself."""

    stone: float
    less: float = 0.0


class Grades(Clause, frozen=True):
    """A newcomer enters with the rating of the grade first declared: 1 dan is `dan`, each grade below or above it
    `step` points away, 1 pro `professional`, each higher one `professional_step` more."""

    dan: float
    step: float
    professional: float
    professional_step: float


class Knockout(Clause, frozen=True):
    """Whether a knock-out game may cost points."""

    protected: bool


class Unit(Clause, frozen=True):
    """What is settled at once: a game, a contest (all its pairs), an event, or a period: `period:month`,
    `:quarter`, `:half-year`, `:year`, `:day`, `:week`, `:N-days`, or dates of the year as `period:04-01,10-01`.

    `delay`: a period's list comes into force so many days after the period; games of these days are rated in the next
    period, with the list before."""

    of: str
    delay: float = 0.0


class Step(Clause, frozen=True):
    """Rounding of a number to a multiple of `to`."""

    rule: Rounding = "none"
    to: float = 1.0


class Rise(Clause, frozen=True):
    """A bonus on the change that a batch of `games` games or more brought, K / `k` of it: `record` points for a rating
    above the player's highest so far, and `share` of what the change exceeds `root` * K / `k` * sqrt(games) by.
    `both`: the first only where the second is due."""

    games: int
    k: float
    root: float
    share: float
    record: float
    both: bool = False


class Floor(Clause, frozen=True):
    """Lowest rating: `clamp` holds the player there; `delist` takes the player off the list, `erase` with all games and
    the highest rating."""

    value: float
    kind: Literal["clamp", "delist", "erase"] = "clamp"


class Ceiling(Clause, frozen=True):
    value: float


class Entry(Clause, frozen=True):
    """How a player unknown to the list enters: a fixed rating, or by category from a CSV table
    (`category, rating, games, source, status`), or not at all (`rating` None and no file)."""

    rating: float | None = None
    games: int = 0
    file: str = ""


class Season(Clause, frozen=True):
    """When a player's first game of a new season comes, rating = keep * rating + (1 - keep) * mean."""

    keep: float
    mean: float


class Idle(Clause, frozen=True):
    """What it costs not to play: `loss` points when `days` have passed since the last game, `more` for each further
    `every` days, `most` in all. They are taken off with the next game, before anything is expected of it."""

    days: float
    loss: float
    every: float
    more: float
    most: float


class Blend(Clause, frozen=True):
    """How another body's rating is mixed in by a dated act: the mean of both, weighted by games, and only for who has
    more games there than before.

    `own`: the player's games, all that count, or without those mixed in before; `other`: all games there, or those
    since the time before. `growth`: more games than at the last blend, or than on the list of a `year` before (0 where
    none is known). `days` of the year (`04-01,10-01`) are those of its lists; blank: any day.
    """

    own: Literal["all", "own"] = "all"
    other: Literal["total", "increase"] = "total"
    growth: Literal["blend", "year"] = "blend"
    days: str = ""


class Uplift(Clause, frozen=True):
    """A one-off revaluation on `date`: between `rating_from` and `rating_below`, R + share * (towards - R).

    With `of`, another rulebook's list: R, or if that is more, the rating there less `less` points.
    """

    date: date
    share: float = 0.0
    towards: float = 0.0
    of: str = ""
    less: float = 0.0
    rating_from: float = float("-inf")
    rating_below: float = float("inf")
    rounding: Rounding = "half away from zero"

    @property
    def unused(self) -> tuple[str, ...]:
        """Fields of the other of the two ways, which have no say."""
        return ("share", "towards") if self.of else ("of", "less")


class First(Clause, frozen=True):
    """How an unrated player comes by a first rating: from the games against rated opponents of several periods, pooled.

    It takes `games` of them within `months`; older ones are forgotten. A first event that brings less than
    `least_score` is ignored altogether (`every_event`: any event), and so is one with fewer than `least_opponents`
    rated opponents. Ra is the opponents' mean, with `draws` added as draws against players of `draws_rating`. Above one
    half `step` points are added for each half point; without a step, and below one half, what `file` (p, dp) gives for
    the percentage; without a file the difference at which the curve expects the share of points exactly.
    At most `most`. `counted`: whether the pooled games count as games played.
    """

    games: int
    months: int
    file: str = ""
    least_score: float = 0.0
    every_event: bool = False
    least_opponents: int = 0
    step: float | None = None
    draws: int = 0
    draws_rating: float = 0.0
    most: float | None = None
    rounding: Rounding = "half up"
    counted: bool = True


class Gap(Clause, frozen=True):
    """A game is not rated at all if the ratings differ by `difference` or more and one of them is above `above`."""

    difference: float
    above: float


class Substitute(Clause, frozen=True):
    """Who is unrated here but rated on another list (`of`, a rulebook's name) counts as rated at that value."""

    of: str


class Activity(Clause, frozen=True):
    """Who has played no rated game in the last `months` is shown as inactive."""

    months: int


class Dates(Clause, frozen=True):
    """Which date selects the edition of the expectation and of K: `game`, `event start`, `event end` or `list`."""

    expectation: Literal["game", "event start", "event end", "list"] = "game"
    coefficient: Literal["game", "event start", "event end", "list"] = "game"


class Age(Clause, frozen=True):
    """`year`: list year minus birth year. `exact`: completed years on the day."""

    counted: Literal["year", "exact"] = "year"


#: Clauses that every system knows.
SHARED = ("curve", "difference", "unit", "publish", "entry", "dates", "age", "activity", "blend")
#: Clauses that a system knows beside those, and which of them it cannot do without.
OF_SYSTEM: Mapping[str, Sequence[str]] = {
    "elo": (
        *("k", "k_factor", "cap", "limit", "surprise", "margin", "importance", "score", "knockout", "change", "floor"),
        *("ceiling", "season", "first", "gap", "substitute", "uplift", "provisional", "game_factor", "win_bonus"),
        *("win_bonus_share", "length", "k_rounding", "idle", "expected", "rise"),
        *("game_bonus", "handicap", "grades"),
    ),
    "glicko": (
        *("deviation", "growth", "volatility", "boost", "stephenson", "least_k", "gains", "most_change", "passes"),
        *("mark", "feeds", "change", "floor", "ceiling"),
    ),
    "weng-lin": ("weng_lin",),
    "trueskill": ("trueskill",),
    "uschess": us.CLAUSES,
    "harkness": ("harkness",),
    "multiplayer": ("k", "k_factor", "contest", "team", "change", "floor", "ceiling"),
    "bayrate": ("conditions", "seed"),
    "dwz": national.DWZ,
    "icu": national.ICU,
    "ecf": national.ECF,
}
NEEDED: Mapping[str, Sequence[str]] = {
    "elo": ("curve", "k"),
    "glicko": ("curve", "deviation"),
    "harkness": ("curve", "harkness"),
    "weng-lin": ("weng_lin",),
    "trueskill": ("trueskill",),
    "uschess": us.NEEDED,
    "multiplayer": ("curve", "k", "contest"),
    "bayrate": ("conditions", "seed"),
    "dwz": ("curve", "development", "tiers"),
    "icu": ("curve", "k", "estimates"),
    "ecf": ("curve", "k", "performances"),
}
#: Clauses that every other system knows: what a library expects is no curve of a difference.
WITHOUT: Mapping[str, Sequence[str]] = {
    "weng-lin": ("curve", "difference", "dates", "age"),
    "trueskill": ("curve", "difference", "dates", "age"),
    "bayrate": ("curve", "difference", "dates", "age"),
}


class Edition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """The regulation as it stood from one day on, whole (amendments merged)."""

    since: date | None = msgspec.field(default=None, name="from")
    announced: date | None = None  # where it was decided after it took effect
    name: str = ""
    source: str = ""
    status: Literal["", "unsure"] = ""
    text: dict[str, str] = {}
    curve: Curve = Curve(shape="none")
    k: list[Row] = []
    k_factor: list[Row] = []
    k_rounding: Step = Step()
    difference: Difference = Difference()
    cap: list[Row] = []
    limit: Limit | None = None
    surprise: Surprise | None = None
    margin: Margin | None = None
    win_bonus: WinBonus | None = None
    win_bonus_share: list[Row] = []
    length: Length | None = None
    importance: Importance | None = None
    score: Score = Score()
    knockout: Knockout | None = None
    unit: Unit = Unit(of="game")
    expected: Step = Step()  # rounding of what a batch expects in all
    change: Step = Step()  # rounding of a change
    rise: Rise | None = None
    publish: Step = Step()  # rounding of what a list shows
    floor: Floor | None = None
    ceiling: Ceiling | None = None
    entry: Entry = Entry()
    season: Season | None = None
    idle: Idle | None = None
    first: First | None = None
    provisional: Provisional | None = None
    game_bonus: list[Row] = []  # points for each game, won or lost
    handicap: Handicap | None = None
    grades: Grades | None = None
    game_factor: list[Row] = []  # of score minus expected, where K alone is not enough: it may ask of the opponent
    gap: Gap | None = None
    blend: Blend | None = None
    substitute: Substitute | None = None
    activity: Activity | None = None
    uplift: list[Uplift] = []
    dates: Dates = Dates()
    age: Age = Age()
    # Glicko and its relatives
    deviation: glicko.Deviation | None = None
    growth: glicko.Growth | None = None
    volatility: glicko.Volatility | None = None
    boost: glicko.Boost | None = None
    stephenson: glicko.Stephenson | None = None
    least_k: glicko.LeastK | None = None
    gains: glicko.Gains | None = None
    most_change: glicko.MostChange | None = None
    passes: glicko.Passes | None = None
    mark: list[glicko.Mark] = []
    # systems whose mathematics is a library's
    weng_lin: library.WengLin | None = None
    trueskill: library.TrueSkill | None = None
    # US Chess; `feeds` is also of others that go by time controls
    effective: us.Effective | None = None
    special: us.Special | None = None
    standard: us.Standard | None = None
    bonus: us.Bonus | None = None
    low_k: us.LowK | None = None
    half_k: us.HalfK | None = None
    newcomers: us.Newcomers | None = None
    fide: list[us.Conversion] = []
    fide_youth: list[us.Conversion] = []
    cfc: list[us.Conversion] = []
    absolute_floor: us.AbsoluteFloor | None = None
    peak_floor: us.PeakFloor | None = None
    life_master: us.LifeMaster | None = None
    match: us.Match | None = None
    feeds: us.Feeds | None = None
    storage: us.Storage | None = None
    norms: us.Norms | None = None
    levels: list[us.Level] = []
    harkness: Harkness | None = None
    # contests of several
    contest: multiplayer.Contest | None = None
    team: multiplayer.Team | None = None
    # stones
    conditions: bayrate.Conditions | None = None
    seed: bayrate.Seed | None = None
    # Germany, Ireland, England
    development: national.Development | None = None
    tiers: national.Tiers | None = None
    exceptional: national.Exceptional | None = None
    membership: national.Membership | None = None
    estimates: national.Estimates | None = None
    improvement: national.Improvement | None = None
    performances: national.Performances | None = None


class Parameter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A value that `--set name=value` may change. `choices`, `least` and `most` are what is accepted."""

    default: float | str | bool
    text: dict[str, str] = {}
    status: Literal["", "unsure"] = ""
    source: str = ""
    least: float | None = None
    most: float | None = None
    choices: list[str] | None = None


class Preset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A named variant of a rulebook: settings of its parameters, and an amendment to its first edition."""

    text: dict[str, str] = {}
    source: str = ""
    status: Literal["", "unsure"] = ""
    settings: dict[str, float | str | bool] = {}
    amend: dict[str, Any] = {}


#: What a rulebook was checked against: ratings that its body published, replayed; examples worked out by others; or
#: nothing that was published: its formulas alone.
Evidence = Literal["", "published ratings", "published examples", "formulas alone"]


class Sheet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The top of a rulebook's file. Its parts are read one by one: an edition needs those before it.

    `like` names a rulebook that ships: its editions and parameters are taken, and those of this file amend them. Where
    this list is younger, `begins` is its first day: the editions until then become one. `until` is the first day on
    which a list was no more; nothing hangs on it.
    """

    organisation: str
    game: str
    # those of `systems.SYSTEMS`
    system: Literal[
        "elo", "glicko", "weng-lin", "trueskill", "uschess", "harkness", "multiplayer", "bayrate", "dwz", "icu", "ecf"
    ]
    like: str = ""
    begins: date | None = None
    edition: list[dict[str, Any]] = []
    title: dict[str, str] = {}
    cadence: str = ""
    verified: str = ""
    evidence: Evidence = ""
    until: date | None = None
    text: dict[str, str] = {}
    parameters: dict[str, dict[str, Any]] = {}
    preset: dict[str, dict[str, Any]] = {}


class Heading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an edition says of itself and does not pass on."""

    since: date | None = msgspec.field(default=None, name="from")
    announced: date | None = None
    name: str = ""
    source: str = ""
    status: Literal["", "unsure"] = ""
    text: dict[str, str] = {}
