# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The numbers: `meet`, `settle`, `between`, and the one loop that replays games.

One source, two ways to run: compiled ahead into an extension (Cython's pure Python mode), or interpreted as it
stands, with the same bits. Nothing here knows a federation: a rulebook arrives as one flat array of numbers, `rules`,
made by `systems.elo.compile_edition`, which holds one *block* per edition. `at` is where a block begins.

A player's state is four numbers in `state`, at 4 * player:

    +0 rating (nan = unrated)    +1 games    +2 highest published rating    +3 season last played (0 = none)

What a batch taught about a player is nine numbers in `evidence`, at 9 * player; the first four add up game by game:

    +0 games    +1 score    +2 expected    +3 gain = sum of weight * (score - expected)
                            (provisional: +2 nan, +3 sum of what the games are worth - own rating)
    of the event at hand: +4 best upgrade    +5 sum of differences    +6 games    +7 score    +8 code
    where the rules do not look at whole events: +5 sum of expected * (unit - expected)    +6 experience    +7 bonus

Scores and expectations are counted in `unit`s: 1, or 100 where the curve is a printed table of hundredths. Sums of
hundredths are whole numbers and therefore exact.

Over 400 lines because the hot functions lose their inlining when they are called across modules.
"""

try:
    import cython
except ImportError:
    from arpad import _cython as cython

if cython.compiled:
    from cython.cimports.arpad.prefetch import prefetch
    from cython.cimports.libc.math import ceil, erfc, exp, floor, log, pow, sqrt
else:
    from math import ceil, erfc, exp, floor, log, pow, sqrt

#: Whether this is the extension, or its source run as plain Python.
COMPILED: bool = bool(cython.compiled)

#: Numbers of a block, in order; `systems.elo` writes them, this file reads them.
BLOCK = (
    "shape",  # 0 curve: 0 logistic, 1 normal, 2 table, 3 line, 4 exponential, 5 power
    "curve_a",  # 1
    "curve_b",  # 2
    "curve_c",  # 3
    "unit",  # 4 one point of score: 1, or 100 for hundredths
    "table",  # 5 where the table's values begin; one per whole point of difference
    "table_last",  # 6 index of the last value, which is open
    "lookup",  # 7 fractional difference: 0 below, 1 nearest, 2 above
    "advantage",  # 8 for the first-named side, unless neutral
    "upgrades",  # 9 1: only the best capped game of an event favours the stronger player
    "mean_opponent",  # 10 1: expectation on the event's mean opponent
    "cap",  # 11 decision tables: where the rows begin (0 = none) ...
    "k",  # 12
    "k_factor",  # 13
    "limit",  # 14 K times games may not exceed this; 0 = no limit
    "surprise",  # 15 where (least q, factor) pairs begin ...
    "surprise_steps",  # 16 ... and how many
    "certain",  # 17 factor where the expected score was 0 or 1 and the result denies it
    "margin",  # 18 0 none, 1 goals, 2 log, 3 power, 4 line
    "margin_a",  # 19
    "margin_b",  # 20
    "margin_c",  # 21
    "margin_d",  # 22
    "margin_table",  # 23
    "margin_count",  # 24
    "by_importance",  # 25 1: a game's gain is multiplied by its importance
    "protected",  # 26 1: a knock-out game costs nothing
    "rounding",  # 27 of a change: 0 none, 1 half away from zero, 2 half up, 3 half even, 4 down (towards zero)
    "step",  # 28
    "floor_kind",  # 29 0 none, 1 clamp, 2 delist, 3 erase
    "floor",  # 30
    "ceiling",  # 31
    "keep",  # 32 season reversion; nan = none
    "mean",  # 33
    "publish",  # 34 rounding of what a list shows
    "publish_step",  # 35
    "entry",  # 36 rating of a newcomer; nan = none
    "entry_games",  # 37
    "batches",  # 38 0: settled game by game, 1: at the end of a batch
    "plain",  # 39 1: logistic curve and K only: the short way through the loop
    "unrated",  # 40 nan
    "runaway",  # 41 K times games of a batch above which updates overshoot, for the warning
    "gap",  # 42 a game between ratings that differ by as much is left out ...
    "gap_above",  # 43 ... if one of them is above this
    "provisional",  # 44 with fewer games than this a rating is provisional; 0 = none is
    "points",  # 45 what a win is worth above, and a loss below, the opponent's rating while it is
    "halfway",  # 46 1: against another provisional player from the mean of both ratings, and half the points
    "game_factor",  # 47 decision table of a game's factor: where the rows begin (0 = none)
    "k_rounding",  # 48 of K
    "k_step",  # 49
    "surprise_of_batch",  # 50 1: the surprise is that of all games of a batch together
    "bonus_share",  # 51 decision table of what a winner gets of the bonus (0 = none) ...
    "bonus_base",  # 52 ... of (base - difference) / divisor ...
    "bonus_divisor",  # 53
    "bonus_below",  # 54 ... where the difference is below this
    "by_length",  # 55 1: the root of a match's length multiplies difference and gain
    "experience",  # 56 1: what counts as games is the sum of lengths
    "idle_days",  # 57 days without a game (0 = no such rule) ...
    "idle_loss",  # 58 ... that cost so much ...
    "idle_every",  # 59 ... and each further so many days ...
    "idle_more",  # 60 ... so much more ...
    "idle_most",  # 61 ... up to this
    "stone",  # 62 what a handicap stone adds to the rating of the second-named side; 0 = nothing
    "stones_less",  # 63 so many stones count for nothing
    "deficit",  # 64 what the expected scores of both sides lack of one point, in units
    "game_bonus",  # 65 decision table of points for each game: where the rows begin (0 = none)
    "sum_rule",  # 66 rounding of what a batch expects in all
    "sum_step",  # 67
    "rise_games",  # 68 a bonus for rising takes as many games; 0 = none is given
    "rise_k",  # 69 the K whose bonus is whole
    "rise_root",  # 70 threshold by the root of the games
    "rise_share",  # 71 of what the change exceeds the threshold by
    "rise_record",  # 72 for a rating above all before
    "rise_both",  # 73 1: that only where the threshold is exceeded
)


if cython.compiled:

    @cython.cfunc
    @cython.inline
    def pointer(column: cython.double[::1]) -> cython.p_double:
        return cython.address(column[0])

else:

    def pointer(column):  # an interpreted column is indexed as it is
        return column


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def whole(x: cython.double) -> cython.Py_ssize_t:
    return cython.cast(cython.Py_ssize_t, x)


@cython.ccall
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def rounded(x: cython.double, rule: cython.double, step: cython.double) -> cython.double:
    """x to a multiple of step: 0 none, 1 half away from zero, 2 half up, 3 half even, 4 towards zero.

    What binary floats miss of a whole or of a half by less than a millionth of a thousandth is taken for it.
    """
    y: cython.double
    low: cython.double
    part: cython.double
    parts: cython.double
    if rule == 0.0:
        return x
    parts = floor(1.0 / step + 0.5)  # of a step such as 0.01, which no binary float is
    if step >= 1.0 or parts * step < 1.0 - 1e-9 or parts * step > 1.0 + 1e-9:
        parts = 0.0
    y = x * parts if parts > 0.0 else x / step
    low = floor(y)
    part = y - low
    if part > 1.0 - 1e-9:
        low = low + 1.0
        part = 0.0
    if rule == 4.0:
        low = low + 1.0 if y < 0.0 and part > 1e-9 else low
    elif part > 0.5 + 1e-9 or (
        part >= 0.5 - 1e-9
        and (rule == 2.0 or (rule == 1.0 and y > 0.0) or (rule == 3.0 and low * 0.5 != floor(low * 0.5)))
    ):
        low = low + 1.0
    if parts > 0.0:
        return low / parts
    return low * step


@cython.ccall
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def logistic(x: cython.double) -> cython.double:
    """1 / (1 + e^-x), without overflow at either end."""
    x = 700.0 if x > 700.0 else x
    x = -700.0 if x < -700.0 else x
    return 1.0 / (1.0 + exp(-x))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def fact(
    which: cython.double,
    rating: cython.double,
    games: cython.double,
    peak: cython.double,
    age: cython.double,
    opponent: cython.double,
    difference: cython.double,
    opponent_games: cython.double,
    score: cython.double,
    batch: cython.double,
) -> cython.double:
    if which == 0.0:
        return rating
    if which == 1.0:
        return games
    if which == 2.0:
        return peak
    if which == 3.0:
        return age
    if which == 4.0:
        return opponent
    if which == 5.0:
        return difference
    if which == 6.0:
        return opponent_games
    return score if which == 7.0 else batch


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def decide(
    rules: cython.p_double,
    row: cython.Py_ssize_t,
    rating: cython.double,
    games: cython.double,
    peak: cython.double,
    age: cython.double,
    opponent: cython.double,
    difference: cython.double,
    opponent_games: cython.double,
    score: cython.double,
    batch: cython.double,
) -> cython.double:
    """The number that the first row that holds gives. A row is

    length, conditions, (fact, from, below) for each, kind, …: 0 a number; 1 a ramp: fact, points, (x, y) for each;
    2 a power: fact, scale, offset, exponent; 3 a fall: fact, limit, divisor, exponent; 4 a bend: fact, limit, divisor,
    scale. An unknown fact (nan) holds no condition.
    """
    c: cython.Py_ssize_t
    i: cython.Py_ssize_t
    _: cython.Py_ssize_t
    n: cython.Py_ssize_t
    holds: cython.bint
    x: cython.double
    while True:
        n = whole(rules[row + 1])
        holds = True
        c = row + 2
        for _ in range(n):
            x = fact(rules[c], rating, games, peak, age, opponent, difference, opponent_games, score, batch)
            if not (rules[c + 1] <= x < rules[c + 2]):
                holds = False
                break
            c = c + 3
        if holds:
            break
        row = row + whole(rules[row])
    c = row + 2 + 3 * n
    if rules[c] == 0.0:
        return rules[c + 1]
    x = fact(rules[c + 1], rating, games, peak, age, opponent, difference, opponent_games, score, batch)
    if rules[c] == 2.0:
        return rules[c + 2] / pow(x + rules[c + 3], rules[c + 4])
    if rules[c] == 3.0:
        return pow((rules[c + 2] - x) / rules[c + 3], rules[c + 4]) if x < rules[c + 2] else 0.0
    if rules[c] == 4.0:
        x = (rules[c + 2] - x) / rules[c + 3]
        return rules[c + 4] * (x if x > 700.0 else log(1.0 + exp(x if x > -700.0 else -700.0)))
    n = whole(rules[c + 2])
    c = c + 3
    if x <= rules[c]:
        return rules[c + 1]
    for i in range(1, n):
        if x < rules[c + 2 * i]:
            return rules[c + 2 * i - 1] + (x - rules[c + 2 * i - 2]) * (rules[c + 2 * i + 1] - rules[c + 2 * i - 1]) / (
                rules[c + 2 * i] - rules[c + 2 * i - 2]
            )
    return rules[c + 2 * n - 1]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def on_curve(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    own: cython.double,
    opponent: cython.double,
    difference: cython.double,
) -> cython.double:
    """What the curve gives a player `difference` points above the opponent (advantage and cap included), in units.

    The two ratings matter only to the curves whose slope depends on them.
    """
    unit: cython.double = rules[at + 4]
    shape: cython.double = rules[at]
    a: cython.double = rules[at + 1]
    b: cython.double = rules[at + 2]
    c: cython.double = rules[at + 3]
    x: cython.double
    i: cython.Py_ssize_t
    if shape == 0.0:
        return unit * logistic(difference * a)
    if shape == 1.0:
        x = 0.5 * erfc(-difference * a)
        if b > 0.0:
            x = floor(x * b + 0.5) / b  # as it is printed
        return unit * x
    if shape == 2.0:
        x = difference if difference >= 0.0 else -difference
        if rules[at + 7] == 1.0:
            x = floor(x + 0.5)
        elif rules[at + 7] == 2.0:
            x = ceil(x)
        if x > rules[at + 6]:
            x = rules[at + 6]
        i = whole(rules[at + 5]) + whole(x)
        return rules[i] if difference >= 0.0 else unit - rules[i]
    if shape == 3.0:
        x = 0.5 + difference * a
        x = b if x < b else x
        x = 1.0 - b if x > 1.0 - b else x
        return unit * x
    if shape == 4.0:
        x = a - (own if difference < 0.0 else opponent) / b
        x = c if x < c else x
        return unit * logistic(difference / x)
    # power: ((limit - own) / (limit - opponent)) ** exponent, as the logistic of a difference of logarithms
    x = opponent + difference
    if x >= a:
        return unit
    if opponent >= a:
        return 0.0
    return unit * logistic(b * (log(a - opponent) - log(a - x)))


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def expected(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    own: cython.double,
    opponent: cython.double,
    difference: cython.double,
) -> cython.double:
    """Expected score, in units: what the curve gives, less half of what both sides' scores lack of one point."""
    return on_curve(rules, at, own, opponent, difference) - 0.5 * rules[at + 64]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def capped(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    state: cython.p_double,
    s: cython.Py_ssize_t,
    own: cython.double,
    opponent: cython.double,
    difference: cython.double,
    age: cython.double,
    score: cython.double,
) -> cython.double:
    """The difference as it counts for the player whose state stands at state[s:]."""
    most: cython.double
    if rules[at + 11] == 0.0:
        return difference
    most = decide(
        rules,
        whole(rules[at + 11]),
        own,
        state[s + 1],
        state[s + 2],
        age,
        opponent,
        difference,
        rules[at + 40],
        score,
        rules[at + 40],
    )
    if difference > most:
        return most
    if difference < -most:
        return -most
    return difference


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def game_factor(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    state: cython.p_double,
    s: cython.Py_ssize_t,
    t: cython.Py_ssize_t,
    own: cython.double,
    opponent: cython.double,
    difference: cython.double,
    age: cython.double,
) -> cython.double:
    """Factor of one game for the player whose state stands at state[s:]; the opponent's stands at state[t:]."""
    row: cython.Py_ssize_t = whole(rules[at + 47])
    return decide(
        rules,
        row,
        own,
        state[s + 1],
        state[s + 2],
        age,
        opponent,
        difference,
        state[t + 1],
        rules[at + 40],
        rules[at + 40],
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def margin_weight(
    rules: cython.p_double, at: cython.Py_ssize_t, margin: cython.double, difference: cython.double
) -> cython.double:
    """Factor for the margin of victory; `margin` and `difference` as the first-named side sees them."""
    shape: cython.double = rules[at + 18]
    m: cython.double = margin if margin >= 0.0 else -margin
    edge: cython.double = difference if margin > 0.0 else -difference
    a: cython.double = rules[at + 19]
    b: cython.double = rules[at + 20]
    n: cython.double
    divisor: cython.double
    if not (m >= 0.0):
        return 1.0  # a margin that is not known
    if shape == 4.0:
        return a + b * (rules[at + 21] if rules[at + 21] > 0.0 and m > rules[at + 21] else m)
    if shape != 1.0:
        # An upset beyond all scales (2,000 points and more) would otherwise divide by zero, or turn the sign.
        divisor = a + b * edge if m > 0.0 else a
        divisor = divisor if divisor > 0.1 * a else 0.1 * a
        if shape == 3.0:
            return pow((m if m > 1.0 else 1.0) + rules[at + 21], rules[at + 22]) / divisor
        if m == 0.0:
            return log(2.0) * a
        return log((m if m > 1.0 else 1.0) + 1.0) * a / divisor
    n = rules[at + 24]
    m = m if m > 1.0 else 1.0
    if m <= n:
        return rules[whole(rules[at + 23]) + whole(m) - 1]
    return rules[whole(rules[at + 23]) + whole(n) - 1] + (m - n) * a


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def surprise(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    score: cython.double,
    expect: cython.double,
    spread: cython.double,
) -> cython.double:
    """Factor by q = |score - expected| / sqrt(spread), compared as squares: exact in hundredths. The `spread` of a game
    is expected * (unit - expected), that of several the sum of theirs."""
    miss: cython.double = (score - expect) * (score - expect)
    step: cython.Py_ssize_t = whole(rules[at + 15])
    i: cython.Py_ssize_t
    if miss == 0.0:
        return 1.0
    if spread <= 0.0:
        return rules[at + 17]
    for i in range(whole(rules[at + 16])):
        if miss >= rules[step + 2 * i] * rules[step + 2 * i] * spread:
            return rules[step + 2 * i + 1]
    return 1.0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def coefficient(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    rating: cython.double,
    games: cython.double,
    peak: cython.double,
    age: cython.double,
    batch: cython.double,
) -> cython.double:
    """K of a player who meets `batch` games at once."""
    k: cython.double
    if games < rules[at + 44]:
        # A mean over all games is a K as well: points of rating for a point of score above even.
        return 2.0 * rules[at + 45] / ((games if rating == rating else 0.0) + (batch if batch > 1.0 else 1.0))
    k = decide(rules, whole(rules[at + 12]), rating, games, peak, age, 0.0, 0.0, rules[at + 40], rules[at + 40], batch)
    if rules[at + 13] != 0.0:
        k = k * decide(
            rules, whole(rules[at + 13]), rating, games, peak, age, 0.0, 0.0, rules[at + 40], rules[at + 40], batch
        )
    if rules[at + 14] > 0.0 and k * batch > rules[at + 14]:
        k = floor(rules[at + 14] / batch)
    return rounded(k, rules[at + 48], rules[at + 49])


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def bonus(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    rating: cython.double,
    games: cython.double,
    peak: cython.double,
    age: cython.double,
    difference: cython.double,
) -> cython.double:
    """What winning a game brings beside K; `difference` as it counts for the winner."""
    share: cython.double
    if rules[at + 51] == 0.0 or difference >= rules[at + 54]:
        return 0.0
    share = decide(rules, whole(rules[at + 51]), rating, games, peak, age, 0.0, 0.0, 0.0, 0.0, 0.0)
    return share * (rules[at + 52] - difference) / rules[at + 53]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def meet(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    own: cython.double,
    opponent: cython.double,
    difference: cython.double,
    uncapped: cython.double,
    score: cython.double,
    known: cython.double,
    weight: cython.double,
    safe: cython.bint,
    out: cython.p_double,
    o: cython.Py_ssize_t,
) -> cython.double:
    """What one game says to one side: adds games, score, expected, gain to out[o:]; returns the expected score.

    `known` is the expected score if the other side has computed it already, else nan. `safe`: a loss costs nothing.
    """
    expect: cython.double = known
    gain: cython.double
    spared: cython.double
    if known != known:
        expect = expected(rules, at, own, opponent, difference)
    if rules[at + 9] != 0.0 and uncapped > difference:
        # Only one such game an event may be capped in the stronger player's favour: count all of them uncapped, and
        # keep what the cap would have spared in the best one.
        spared = expect
        expect = expected(rules, at, own, opponent, uncapped)
        spared = expect - spared
        if spared > out[o + 4]:
            out[o + 4] = spared
    gain = weight * (score - expect)
    if rules[at + 16] != 0.0:
        spared = expect * (rules[at + 4] - expect)
        if rules[at + 50] != 0.0:
            out[o + 5] = out[o + 5] + spared
        else:
            gain = gain * surprise(rules, at, score, expect, spared)
    if safe and gain < 0.0:
        gain = 0.0
    out[o] = out[o] + 1.0
    out[o + 1] = out[o + 1] + score
    out[o + 2] = out[o + 2] + expect
    out[o + 3] = out[o + 3] + gain
    return expect


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def meet_provisionally(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    own: cython.double,
    opponent: cython.double,
    opponent_games: cython.double,
    score: cython.double,
    out: cython.p_double,
    o: cython.Py_ssize_t,
) -> cython.double:
    """What one game says to a side whose rating is provisional: what it is worth, above the own rating (nan: above 0).

    Expected score there is none; `score` is in units of this block.
    """
    points: cython.double = rules[at + 45] * (2.0 * score - rules[at + 4]) / rules[at + 4]
    worth: cython.double = opponent + points
    if rules[at + 46] != 0.0 and opponent_games < rules[at + 44] and own == own:
        worth = 0.5 * (own + opponent + points)
    out[o] = out[o] + 1.0
    out[o + 1] = out[o + 1] + score
    out[o + 2] = rules[at + 40]
    out[o + 3] = out[o + 3] + worth - (own if own == own else 0.0)
    return rules[at + 40]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def close_event(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    state: cython.p_double,
    own: cython.double,
    s: cython.Py_ssize_t,
    evidence: cython.p_double,
    o: cython.Py_ssize_t,
) -> cython.double:
    """Add to the evidence what only a whole event tells: its best upgrade, or its mean opponent."""
    expect: cython.double
    mean: cython.double
    evidence[o + 3] = evidence[o + 3] + evidence[o + 4]
    evidence[o + 2] = evidence[o + 2] - evidence[o + 4]
    if rules[at + 10] != 0.0 and evidence[o + 6] > 0.0:
        mean = evidence[o + 5] / evidence[o + 6]
        expect = capped(rules, at, state, s, own, own - mean, mean, rules[at + 40], rules[at + 40])
        expect = evidence[o + 6] * expected(rules, at, own, own - mean, expect)
        evidence[o + 2] = evidence[o + 2] + expect
        evidence[o + 3] = evidence[o + 3] + evidence[o + 7] - expect
    evidence[o + 4] = 0.0
    evidence[o + 5] = 0.0
    evidence[o + 6] = 0.0
    evidence[o + 7] = 0.0
    return 0.0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def game_bonus(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    rating: cython.double,
    games: cython.double,
    peak: cython.double,
    age: cython.double,
) -> cython.double:
    """Points that a player is given for each game, won or lost."""
    return decide(
        rules, whole(rules[at + 65]), rating, games, peak, age, 0.0, 0.0, rules[at + 40], rules[at + 40], rules[at + 40]
    )


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def rise(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    k: cython.double,
    games: cython.double,
    rating: cython.double,
    peak: cython.double,
    change: cython.double,
) -> cython.double:
    """The bonus on a change that `games` games brought: for a record, and for what exceeds a threshold."""
    part: cython.double
    beyond: cython.double
    extra: cython.double = 0.0
    if rules[at + 68] <= 0.0 or games < rules[at + 68]:
        return 0.0
    part = k / rules[at + 69]
    beyond = change - rules[at + 70] * part * pow(games, 0.5)
    if rating + change > peak and (beyond > 0.0 or rules[at + 73] == 0.0):
        extra = rules[at + 72] * part
    if beyond > 0.0:
        extra = extra + rules[at + 71] * beyond * part
    return extra


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def settle(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    at_list: cython.Py_ssize_t,
    state: cython.p_double,
    s: cython.Py_ssize_t,
    age: cython.double,
    evidence: cython.p_double,
    o: cython.Py_ssize_t,
) -> cython.double:
    """The player's state at state[s:] after a batch whose evidence is at evidence[o:]; returns the K that was used.

    `at_list` is the block of the list that comes of it: its bounds hold.
    """
    k: cython.double = coefficient(rules, at, state[s], state[s + 1], state[s + 2], age, evidence[o])
    gain: cython.double = evidence[o + 3]
    extra: cython.double = evidence[o + 7] if rules[at + 51] != 0.0 else 0.0
    rating: cython.double = state[s]
    shown: cython.double
    if state[s + 1] < rules[at + 44]:
        shown = state[s + 1] if rating == rating else 0.0
        rating = rating if rating == rating else 0.0
        rating = rating + rounded(gain / (shown + evidence[o]), rules[at + 27], rules[at + 28])
    else:
        if rules[at + 50] != 0.0:
            gain = gain * surprise(rules, at, evidence[o + 1], evidence[o + 2], evidence[o + 5])
        shown = k * gain / rules[at + 4] + extra
        if rules[at + 65] != 0.0:
            shown = shown + evidence[o] * game_bonus(rules, at, rating, state[s + 1], state[s + 2], age)
        if rules[at + 68] > 0.0:
            shown = shown + rise(rules, at, k, evidence[o], rating, state[s + 2], shown)
        rating = rating + rounded(shown, rules[at + 27], rules[at + 28])
    if rating > rules[at_list + 31]:
        rating = rules[at_list + 31]
    if rating < rules[at_list + 30]:
        if rules[at_list + 29] == 1.0:
            rating = rules[at_list + 30]
        elif rules[at_list + 29] >= 2.0:
            rating = rules[at + 40]
            if rules[at_list + 29] == 3.0:
                state[s] = rating
                state[s + 1] = 0.0
                state[s + 2] = 0.0
                return k
    state[s] = rating
    state[s + 1] = state[s + 1] + (evidence[o + 6] if rules[at + 56] != 0.0 else evidence[o])
    shown = rounded(rating, rules[at_list + 34], rules[at_list + 35])
    if shown > state[s + 2]:
        state[s + 2] = shown
    return k


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def between(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    state: cython.p_double,
    s: cython.Py_ssize_t,
    season: cython.double,
) -> cython.double:
    """What time alone does, before a player's game of `season`: newcomers enter, a new season pulls to the mean.

    Where not playing costs, `season` is the day of the game.
    """
    cost: cython.double
    if state[s] != state[s] and rules[at + 36] == rules[at + 36] and state[s + 1] <= 0.0:
        state[s] = rules[at + 36]
        state[s + 1] = rules[at + 37]
        state[s + 2] = rounded(rules[at + 36], rules[at + 34], rules[at + 35])
    elif season != state[s + 3] and state[s + 3] > 0.0 and rules[at + 32] == rules[at + 32]:
        state[s] = state[s] * rules[at + 32] + rules[at + 33] * (1.0 - rules[at + 32])
    elif rules[at + 57] > 0.0 and state[s + 3] > 0.0 and season - state[s + 3] >= rules[at + 57]:
        cost = rules[at + 58] + rules[at + 60] * floor((season - state[s + 3] - rules[at + 57]) / rules[at + 59])
        state[s] = state[s] - (cost if cost < rules[at + 61] else rules[at + 61])
    if season > 0.0:
        state[s + 3] = season
    return state[s]


def expected_score(
    rules: cython.double[::1],
    at: cython.Py_ssize_t,
    own: cython.double,
    opponent: cython.double,
    difference: cython.double,
) -> float:
    """`expected` for callers outside this file, in units."""
    return expected(pointer(rules), at, own, opponent, difference)


def coefficient_of(
    rules: cython.double[::1],
    at: cython.Py_ssize_t,
    rating: cython.double,
    games: cython.double,
    peak: cython.double,
    age: cython.double,
    batch: cython.double,
) -> float:
    """`coefficient` for callers outside this file."""
    return coefficient(pointer(rules), at, rating, games, peak, age, batch)


def game_bonus_of(
    rules: cython.double[::1],
    at: cython.Py_ssize_t,
    rating: cython.double,
    games: cython.double,
    peak: cython.double,
    age: cython.double,
) -> float:
    """`game_bonus` for callers outside this file; 0 where there is none."""
    return game_bonus(pointer(rules), at, rating, games, peak, age) if rules[at + 65] != 0.0 else 0.0


def rise_of(
    rules: cython.double[::1],
    at: cython.Py_ssize_t,
    k: cython.double,
    games: cython.double,
    rating: cython.double,
    peak: cython.double,
    change: cython.double,
) -> float:
    """`rise` for callers outside this file."""
    return rise(pointer(rules), at, k, games, rating, peak, change)


def margin_factor(
    rules: cython.double[::1], at: cython.Py_ssize_t, margin: cython.double, difference: cython.double
) -> float:
    """`margin_weight` for callers outside this file."""
    return margin_weight(pointer(rules), at, margin, difference)


def surprise_factor(
    rules: cython.double[::1], at: cython.Py_ssize_t, score: cython.double, expect: cython.double
) -> float:
    """`surprise` of one game for callers outside this file; score and expectation in units."""
    return surprise(pointer(rules), at, score, expect, expect * (rules[at + 4] - expect))


def surprise_of_several(
    rules: cython.double[::1],
    at: cython.Py_ssize_t,
    score: cython.double,
    expect: cython.double,
    spread: cython.double,
) -> float:
    """`surprise` of a batch for callers outside this file; `spread` in squares of units."""
    return surprise(pointer(rules), at, score, expect, spread)


def bonus_of(
    rules: cython.double[::1],
    at: cython.Py_ssize_t,
    rating: cython.double,
    games: cython.double,
    peak: cython.double,
    age: cython.double,
    difference: cython.double,
) -> float:
    """`bonus` for callers outside this file."""
    return bonus(pointer(rules), at, rating, games, peak, age, difference)


def cap_of(
    rules: cython.double[::1],
    at: cython.Py_ssize_t,
    state: cython.double[::1],
    s: cython.Py_ssize_t,
    own: cython.double,
    opponent: cython.double,
    difference: cython.double,
    age: cython.double,
    score: cython.double,
) -> float:
    """`capped` for callers outside this file."""
    return capped(pointer(rules), at, pointer(state), s, own, opponent, difference, age, score)


def round_to(x: cython.double, rule: cython.double, step: cython.double) -> float:
    """`rounded` for callers outside this file."""
    return rounded(x, rule, step)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def too_far(one: cython.double, other: cython.double, gap: cython.double, above: cython.double) -> cython.bint:
    """Whether two ratings are so far apart, and one so high, that their game is not rated."""
    return (one > above or other > above) and (one - other >= gap or other - one >= gap)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def age_on(
    year: cython.int[::1], g: cython.Py_ssize_t, born: cython.int[::1], p: cython.Py_ssize_t, unknown: cython.double
) -> cython.double:
    """Whole years; both columns hold year * 10000 + month * 100 + day, or year * 10000 where the year alone counts."""
    if len(born) == 0 or len(year) == 0 or born[p] == 0 or year[g] == 0:
        return unknown
    return floor((year[g] - born[p]) / 10000.0)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def short_way(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    state: cython.p_double,
    first: cython.int[::1],
    second: cython.int[::1],
    score: cython.int[::1],
    scores: cython.double[::1],
    before: cython.double[::1],
    expects: cython.double[::1],
    totals: cython.double[::1],
    lo: cython.Py_ssize_t,
    hi: cython.Py_ssize_t,
) -> cython.double:
    """The loop of `replay` where a block says nothing but a logistic curve and a K of at most three constants.

    Same numbers, bit for bit (a test holds the two together), several times as fast: K is chosen without a jump that
    the processor could guess wrong. `systems.elo.is_short` says which blocks may go this way.
    """
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    c: cython.Py_ssize_t
    row: cython.Py_ssize_t = whole(rules[at + 12])
    fact_1: cython.Py_ssize_t = whole(rules[row + 2])
    from_1: cython.double = rules[row + 3]
    below_1: cython.double = rules[row + 4]
    k_1: cython.double = rules[row + 6]
    fact_2: cython.Py_ssize_t = whole(rules[row + 9])
    from_2: cython.double = rules[row + 10]
    below_2: cython.double = rules[row + 11]
    k_2: cython.double = rules[row + 13]
    k_3: cython.double = rules[row + 17]
    slope: cython.double = rules[at + 1]
    ra: cython.double
    rb: cython.double
    ka: cython.double
    kb: cython.double
    x: cython.double
    y: cython.double
    e: cython.double
    want_before: cython.bint = len(before) > 0
    want_expects: cython.bint = len(expects) > 0
    for g in range(lo, hi):
        if cython.compiled and g + 16 < hi:
            prefetch(cython.address(state[4 * first[g + 16]]))
            prefetch(cython.address(state[4 * second[g + 16]]))
        i = 4 * first[g]
        j = 4 * second[g]
        ra = state[i]
        rb = state[j]
        if ra != ra:
            ra = between(rules, at, state, i, 0.0)
        if rb != rb:
            rb = between(rules, at, state, j, 0.0)
        if want_before:
            before[2 * g] = ra
            before[2 * g + 1] = rb
        x = state[i + fact_1]
        y = state[i + fact_2]
        ka = k_2 if (y >= from_2) & (y < below_2) else k_3
        ka = k_1 if (x >= from_1) & (x < below_1) else ka
        x = state[j + fact_1]
        y = state[j + fact_2]
        kb = k_2 if (y >= from_2) & (y < below_2) else k_3
        kb = k_1 if (x >= from_1) & (x < below_1) else kb
        if ra != ra or rb != rb:
            e = rules[at + 40]
            totals[3] = totals[3] + 1.0
        else:
            e = logistic((ra - rb) * slope)
            c = 2 * cython.cast(cython.Py_ssize_t, score[g])
            ra = ra + ka * (scores[c] - e)
            rb = rb + kb * (scores[c + 1] - (1.0 - e))
            state[i] = ra
            state[j] = rb
            state[i + 1] = state[i + 1] + 1.0
            state[j + 1] = state[j + 1] + 1.0
            x = state[i + 2]
            state[i + 2] = ra if ra > x else x
            y = state[j + 2]
            state[j + 2] = rb if rb > y else y
        if want_expects:
            expects[g] = e
    return 0.0


def replay(
    state_column: cython.double[::1],
    rules_column: cython.double[::1],
    segments: cython.longlong[::1],
    first: cython.int[::1],
    second: cython.int[::1],
    score: cython.int[::1],
    scores: cython.double[::1],
    margin: cython.double[::1],
    flags: cython.uchar[::1],
    importance: cython.double[::1],
    season: cython.int[::1],
    year: cython.int[::1],
    born: cython.int[::1],
    event: cython.int[::1],
    length: cython.double[::1],
    handicap: cython.int[::1],
    lag: cython.uchar[::1],
    lists: cython.double[::1],
    evidence_column: cython.double[::1],
    touched: cython.int[::1],
    before: cython.double[::1],
    expects: cython.double[::1],
    expects_second: cython.double[::1],
    after: cython.double[::1],
    used_k: cython.double[::1],
    gains: cython.double[::1],
    changes: cython.double[::1],
    totals: cython.double[::1],
) -> int:
    """Replay games in the order in which they stand; returns how many rows of `changes` were written.

    `segments` holds six numbers for each run of games under the same editions: first game, game after the last, the
    blocks of the expectation, of K, and of the list that comes of it, and whether a batch ends there (bit 0) or begins
    there (bit 1). Where the unit is the game every game is its own batch.

    Columns of games: `first`, `second`, `score` (code into the pairs of `scores`); the others may be empty: `margin`,
    `flags` (1 neutral, 2 knock-out, 4 left out), `importance`, `season`, `year`, `event`, `length` (of a match),
    `handicap` (stones of the second side), `lag` (how many batches ago the list was in force that rates the game, read
    from `lists`, a ring of published lists). `born` has one entry a player.

    What is written, unless empty: a game's `before` and `after` (first, second), `expects`, `expects_second`, `used_k`
    and `gains` (first, second; a batch's K is known to its `changes` only); a batch's `changes`, eight numbers a
    player: segment, player, before, after, games, score, expected, K. `totals` keeps the largest K times games, its
    player, how often the block's limit was passed, how many games were not rated, and where in its ring the newest
    list stands; after one number that is not this kernel's, how many games were rated for one side only.
    """
    s: cython.Py_ssize_t
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    p: cython.Py_ssize_t
    q: cython.Py_ssize_t
    at: cython.Py_ssize_t
    at_k: cython.Py_ssize_t
    at_list: cython.Py_ssize_t
    t: cython.Py_ssize_t
    o: cython.Py_ssize_t
    state: cython.p_double = pointer(state_column)
    rules: cython.p_double = pointer(rules_column)
    evidence: cython.p_double = pointer(evidence_column)
    provisional: cython.double
    pa: cython.bint
    pb: cython.bint
    wa: cython.double
    wb: cython.double
    players: cython.Py_ssize_t = len(state_column) // 4
    ring: cython.Py_ssize_t = len(lists) // players if players > 0 else 0
    slot: cython.Py_ssize_t = whole(totals[4])
    n_touched: cython.Py_ssize_t = 0
    rows: cython.Py_ssize_t = 0
    row: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    last: cython.Py_ssize_t
    batches: cython.bint
    want_before: cython.bint = len(before) > 0
    want_expects: cython.bint = len(expects) > 0
    want_more: cython.bint = len(after) > 0
    want_changes: cython.bint = len(changes) > 0
    safe: cython.bint
    unit: cython.double
    ra: cython.double
    rb: cython.double
    oa: cython.double
    ob: cython.double
    ea: cython.double
    eb: cython.double
    ka: cython.double
    kb: cython.double
    sa: cython.double
    sb: cython.double
    edge: cython.double
    mb: cython.double
    da: cython.double
    db: cython.double
    weight: cython.double
    root: cython.double
    flag: cython.int
    now: cython.double
    unrated: cython.double = rules[40]
    none: cython.double = unrated
    scratch: cython.Py_ssize_t = len(evidence_column) - 18

    with cython.nogil:
        for s in range(len(segments) // 6):
            at = cython.cast(cython.Py_ssize_t, segments[6 * s + 2])
            at_k = cython.cast(cython.Py_ssize_t, segments[6 * s + 3])
            at_list = cython.cast(cython.Py_ssize_t, segments[6 * s + 4])
            batches = rules[at_k + 38] != 0.0
            unit = rules[at + 4]
            provisional = rules[at_k + 44]
            if ring > 0 and segments[6 * s + 5] >= 2:
                slot = (slot + 1) % ring
                for p in range(players):
                    lists[slot * players + p] = rounded(state[4 * p], rules[at_k + 34], rules[at_k + 35])
            begin = cython.cast(cython.Py_ssize_t, segments[6 * s])
            last = cython.cast(cython.Py_ssize_t, segments[6 * s + 1])
            if rules[at + 39] != 0.0 and at == at_k and not want_more:
                short_way(rules, at, state, first, second, score, scores, before, expects, totals, begin, last)
                continue
            for g in range(begin, last):
                if cython.compiled and g + 16 < last:
                    prefetch(cython.address(state[4 * first[g + 16]]))
                    prefetch(cython.address(state[4 * second[g + 16]]))
                p = first[g]
                q = second[g]
                i = 4 * p
                j = 4 * q
                flag = flags[g] if len(flags) > 0 else 0
                now = season[g] if len(season) > 0 else 0.0
                ra = between(rules, at_k, state, i, now)
                rb = between(rules, at_k, state, j, now)
                oa = ra
                ob = rb
                if len(lag) > 0 and lag[g] > 0:
                    t = (slot + ring - lag[g]) % ring
                    oa = lists[t * players + p]
                    ob = lists[t * players + q]
                if rules[at + 42] > 0.0 and too_far(oa, ob, rules[at + 42], rules[at + 43]):
                    flag = flag | 4
                pa = state[i + 1] < provisional
                pb = state[j + 1] < provisional
                if (flag & 4) or ra != ra or rb != rb or oa != oa or ob != ob:
                    # Whose rating is provisional may have none yet: the other side's is enough.
                    pa = pa and not (flag & 4) and ob == ob and rb == rb
                    pb = pb and not (flag & 4) and oa == oa and ra == ra
                    if want_before:
                        before[2 * g] = ra
                        before[2 * g + 1] = rb
                    if want_expects:
                        expects[g] = none
                    if want_more:
                        expects_second[g] = none
                        after[2 * g] = ra
                        after[2 * g + 1] = rb
                        used_k[2 * g] = none
                        used_k[2 * g + 1] = none
                        gains[2 * g] = none
                        gains[2 * g + 1] = none
                    if not (pa or pb):
                        totals[3] = totals[3] + 1.0
                        continue
                    totals[6] = totals[6] + 1.0
                    if want_before and pa:
                        before[2 * g + 1] = ob
                    if want_before and pb:
                        before[2 * g] = oa
                    row = 2 * cython.cast(cython.Py_ssize_t, score[g]) + (0 if pa else 1)
                    sa = unit * scores[row]
                    p = first[g] if pa else second[g]
                    q = second[g] if pa else first[g]
                    i = 4 * p
                    o = scratch
                    if batches:
                        o = 9 * p
                        if evidence[o] == 0.0:
                            touched[n_touched] = first[g] if pa else second[g]
                            n_touched = n_touched + 1
                            evidence[o + 8] = -1.0
                    else:
                        for row in range(o, o + 9):
                            evidence[row] = 0.0
                    ka = evidence[o + 3]
                    meet_provisionally(rules, at_k, state[i], ob if pa else oa, state[4 * q + 1], sa, evidence, o)
                    row = 2 * g + (0 if pa else 1)
                    if want_more:
                        gains[row] = (evidence[o + 3] - ka) / (2.0 * rules[at_k + 45])
                    if not batches:
                        ka = settle(rules, at_k, at_list, state, i, age_on(year, g, born, p, none), evidence, o)
                        if want_more:
                            used_k[row] = ka
                            after[row] = state[i]
                    continue

                # What both sides share: the difference, the weight of the game, and mostly the expected score.
                mb = ob
                if rules[at + 62] != 0.0 and len(handicap) > 0 and handicap[g] > 0:
                    mb = ob + rules[at + 62] * (handicap[g] - rules[at + 63])
                edge = oa - mb + (0.0 if flag & 1 else rules[at + 8])
                weight = 1.0
                if rules[at + 18] != 0.0 and len(margin) > 0:
                    weight = margin_weight(rules, at, margin[g], edge)
                if rules[at + 25] != 0.0:
                    weight = weight * importance[g]
                if rules[at + 55] != 0.0:
                    root = sqrt(length[g])
                    edge = edge * root
                    weight = weight * root
                safe = rules[at + 26] != 0.0 and (flag & 2) != 0
                row = 2 * cython.cast(cython.Py_ssize_t, score[g])
                sa = unit * scores[row]
                sb = unit * scores[row + 1]
                da = capped(rules, at, state, i, oa, mb, edge, age_on(year, g, born, p, none), scores[row])
                db = capped(rules, at, state, j, mb, oa, -edge, age_on(year, g, born, q, none), scores[row + 1])
                if batches:
                    o = 9 * p
                    t = 9 * q
                    if evidence[o] == 0.0:
                        touched[n_touched] = first[g]
                        n_touched = n_touched + 1
                        evidence[o + 8] = -1.0
                    if evidence[t] == 0.0:
                        touched[n_touched] = second[g]
                        n_touched = n_touched + 1
                        evidence[t + 8] = -1.0
                    if len(event) > 0 and (rules[at + 9] != 0.0 or rules[at + 10] != 0.0):
                        if evidence[o + 8] != event[g]:
                            close_event(rules, at, state, ra, i, evidence, o)
                            evidence[o + 8] = event[g]
                        if evidence[t + 8] != event[g]:
                            close_event(rules, at, state, rb, j, evidence, t)
                            evidence[t + 8] = event[g]
                else:
                    o = scratch
                    t = scratch + 9
                    for row in range(o, o + 18):
                        evidence[row] = 0.0
                wa = weight
                wb = weight
                if rules[at + 47] != 0.0:
                    wa = weight * game_factor(rules, at, state, i, j, oa, ob, edge, age_on(year, g, born, p, none))
                    wb = weight * game_factor(rules, at, state, j, i, ob, oa, -edge, age_on(year, g, born, q, none))
                ka = evidence[o + 3]
                kb = evidence[t + 3]
                if pa:
                    ea = meet_provisionally(rules, at_k, ra, ob, state[j + 1], sa, evidence, o)
                else:
                    ea = meet(rules, at, oa, mb, da, edge, sa, none, wa, safe, evidence, o)
                if pb:
                    eb = meet_provisionally(rules, at_k, rb, oa, state[i + 1], sb, evidence, t)
                else:
                    eb = meet(
                        rules,
                        at,
                        mb,
                        oa,
                        db,
                        -edge,
                        sb,
                        unit - rules[at + 64] - ea if da == -db and rules[at + 9] == 0.0 else none,
                        wb,
                        safe,
                        evidence,
                        t,
                    )
                if rules[at + 10] != 0.0:
                    # The expectation comes with the event's mean opponent: only the score is known so far.
                    evidence[o + 3] = ka
                    evidence[t + 3] = kb
                    evidence[o + 2] = evidence[o + 2] - ea
                    evidence[t + 2] = evidence[t + 2] - eb
                    evidence[o + 5] = evidence[o + 5] + edge
                    evidence[t + 5] = evidence[t + 5] - edge
                    evidence[o + 6] = evidence[o + 6] + 1.0
                    evidence[t + 6] = evidence[t + 6] + 1.0
                    evidence[o + 7] = evidence[o + 7] + sa
                    evidence[t + 7] = evidence[t + 7] + sb
                if rules[at_k + 56] != 0.0:
                    evidence[o + 6] = evidence[o + 6] + length[g]
                    evidence[t + 6] = evidence[t + 6] + length[g]
                if rules[at_k + 51] != 0.0 and sa > sb:
                    evidence[o + 7] = evidence[o + 7] + bonus(
                        rules, at_k, ra, state[i + 1], state[i + 2], age_on(year, g, born, p, none), da
                    )
                if rules[at_k + 51] != 0.0 and sb > sa:
                    evidence[t + 7] = evidence[t + 7] + bonus(
                        rules, at_k, rb, state[j + 1], state[j + 2], age_on(year, g, born, q, none), db
                    )
                if want_before:
                    before[2 * g] = oa
                    before[2 * g + 1] = ob
                if want_expects:
                    expects[g] = ea / unit
                if want_more:
                    expects_second[g] = eb / unit
                    gains[2 * g] = (evidence[o + 3] - ka) / (2.0 * rules[at_k + 45] if pa else unit)
                    gains[2 * g + 1] = (evidence[t + 3] - kb) / (2.0 * rules[at_k + 45] if pb else unit)
                    used_k[2 * g] = none
                    used_k[2 * g + 1] = none
                if not batches:
                    ka = settle(rules, at_k, at_list, state, i, age_on(year, g, born, p, none), evidence, o)
                    kb = settle(rules, at_k, at_list, state, j, age_on(year, g, born, q, none), evidence, t)
                    if want_more:
                        used_k[2 * g] = ka
                        used_k[2 * g + 1] = kb
                        after[2 * g] = state[i]
                        after[2 * g + 1] = state[j]

            if rules[at + 9] != 0.0 or rules[at + 10] != 0.0:
                # No event lies on both sides of a change of edition: the next games may be under rules without this.
                for t in range(n_touched):
                    p = touched[t]
                    close_event(rules, at, state, state[4 * p], 4 * p, evidence, 9 * p)
                    evidence[9 * p + 8] = -1.0
            if segments[6 * s + 5] % 2 == 1 and n_touched > 0:
                g = cython.cast(cython.Py_ssize_t, segments[6 * s + 1]) - 1
                for t in range(n_touched):
                    p = touched[t]
                    i = 4 * p
                    o = 9 * p
                    ra = state[i]
                    pa = state[i + 1] < rules[at_k + 44]
                    if rules[at_k + 66] != 0.0 and evidence[o + 2] == evidence[o + 2]:
                        kb = unit * rounded(evidence[o + 2] / unit, rules[at_k + 66], rules[at_k + 67])
                        evidence[o + 3] = evidence[o + 3] + evidence[o + 2] - kb
                        evidence[o + 2] = kb
                    ka = settle(rules, at_k, at_list, state, i, age_on(year, g, born, p, none), evidence, o)
                    kb = 0.0 if pa else ka * evidence[o]  # a mean cannot overshoot
                    if kb > totals[0]:
                        totals[0] = kb
                        totals[1] = p
                    if kb > rules[at_k + 41]:
                        totals[2] = totals[2] + 1.0
                    if want_changes:
                        changes[8 * rows] = s
                        changes[8 * rows + 1] = p
                        changes[8 * rows + 2] = ra
                        changes[8 * rows + 3] = state[i]
                        changes[8 * rows + 4] = evidence[o]
                        changes[8 * rows + 5] = evidence[o + 1] / unit
                        changes[8 * rows + 6] = evidence[o + 2] / unit
                        changes[8 * rows + 7] = ka
                        rows = rows + 1
                    for row in range(o, o + 9):
                        evidence[row] = 0.0
                n_touched = 0
    totals[4] = slot
    return rows
