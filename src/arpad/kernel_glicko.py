# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The numbers of Glicko and its relatives: `meet`, `settle`, `between`, and the one loop that replays games.

Beside `kernel.py` and run as that is, compiled or interpreted with the same bits. Glicko, Glicko-2, Glicko-Boost,
Stephenson's method and the servers' variants are one sentence: a deviation *grows* with the time since a player was
last active; games bring *information*, the sum of g² E (1 - E), and a *gain*, the sum of g (score - E); then

    variance = 1 / (1 / (grown variance + what a period adds) + information),    change = variance * gain

in natural units (a point of rating times `steepness`). Each system adds or leaves out a term: numbers of a block of
`rules`, made by `systems.glicko`. A player's state is six numbers in `state`, at 6 * player:

    +0 rating (nan = unrated)    +1 games    +2 highest published rating    +3 clock of last play (0 = never)
    +4 deviation in points (nan or 0 = not known: the entry's)    +5 volatility (likewise)

What a batch taught about a player is a row of eight numbers in `evidence`; sums, but for +5 and +6, which are made when
the player is first met:

    +0 games    +1 score    +2 expected    +3 gain    +4 information    +5 deviation as met    +6 g of it
    +7 opponents' ratings

The clock counts rating periods, or days with their fractions.

Over 400 lines because the hot functions lose their inlining when they are called across modules.
"""

try:
    import cython
except ImportError:
    from arpad import _cython as cython

if cython.compiled:
    from cython.cimports.arpad.kernel import logistic, rounded
    from cython.cimports.arpad.prefetch import prefetch
    from cython.cimports.libc.math import exp, log, sqrt
else:
    from math import exp, log, sqrt

    from arpad.kernel import logistic, rounded

#: Whether this is the extension, or its source run as plain Python.
COMPILED: bool = bool(cython.compiled)

#: Numbers of a block, in order; `systems.glicko` writes them, this file reads them.
BLOCK = (
    "steepness",  # 0 natural units of a point: ln(base) / scale
    "advantage",  # 1 for the first-named side, unless neutral
    "growth",  # 2 of the variance with time: 0 none, 1 constant, 2 by volatility, 3 logarithm, 4 exponential
    "growth_a",  # 3
    "growth_b",  # 4
    "growth_c",  # 5
    "growth_d",  # 6
    "growth_e",  # 7
    "enters",  # 8 1: the grown deviation enters the update, 0: the stored one
    "active",  # 9 periods of growth in an update: 0 none, 1 one, 2 what has passed, at most one
    "pace",  # 10 periods in a unit of the clock; 0: no clock, every batch is a period
    "deviation",  # 11 a newcomer's
    "least_deviation",  # 12
    "most_deviation",  # 13
    "volatility",  # 14 a newcomer's; 0: the system has none
    "tau",  # 15 0: volatility stays as it is
    "most_volatility",  # 16
    "boost_from",  # 17 z above which the deviation is boosted; inf = never
    "boost_factor",  # 18
    "boost_added",  # 19
    "per_game",  # 20 variance in points² that each game adds
    "bonus",  # 21 of every game
    "pull",  # 22 share of the way to the mean opponent
    "least_k",  # 23 of one game, g included; on the rating only
    "gain_factor",  # 24 of changes upward
    "most_change",  # 25
    "rounding",  # 26 of a change, as in `kernel`
    "step",  # 27
    "floor_kind",  # 28 0 none, 1 clamp, 2 delist
    "floor",  # 29
    "ceiling",  # 30
    "publish",  # 31 rounding of what a list shows
    "publish_step",  # 32
    "entry",  # 33 rating of a newcomer; nan = none
    "entry_games",  # 34
    "batches",  # 35 0: settled game by game, 1: at the end of a batch
    "passes",  # 36 2: once more, against the opponents as the first time left them
    "unrated",  # 37 nan
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
def elapsed(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    last: cython.double,
    games: cython.double,
    clock: cython.double,
) -> cython.double:
    """Periods since a player was last active; none for who never was.

    Where every batch is a period, one has passed for who has played, whether or not the day is known.
    """
    if rules[at + 10] == 0.0:
        return 1.0 if last > 0.0 or games > 0.0 else 0.0
    if not (last > 0.0):
        return 0.0
    return rules[at + 10] * (clock - last) if clock > last else 0.0


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def within(rules: cython.p_double, at: cython.Py_ssize_t, deviation: cython.double) -> cython.double:
    """A deviation within the rules' bounds."""
    deviation = rules[at + 12] if deviation < rules[at + 12] else deviation
    return rules[at + 13] if deviation > rules[at + 13] else deviation


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def exponential(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    rating: cython.double,
    variance: cython.double,
    time: cython.double,
) -> cython.double:
    """A variance that grows, each period, by exp(a + b RD + c RD r + d r + e r²), r in thousands.

    Period by period up to the bound; after a thousand periods the rest grows as the last of them did.
    """
    _: cython.Py_ssize_t
    most: cython.double = rules[at + 13] * rules[at + 13]
    r: cython.double = rating / 1000.0
    deviation: cython.double
    power: cython.double
    part: cython.double
    for _ in range(1001):
        if time <= 0.0 or variance >= most:
            break
        part = time if time < 1.0 or _ == 1000 else 1.0
        deviation = sqrt(variance)
        power = rules[at + 3] + rules[at + 4] * deviation + rules[at + 5] * deviation * r
        power = power + rules[at + 6] * r + rules[at + 7] * r * r
        power = 60.0 if power > 60.0 else power
        power = -60.0 if power < -60.0 else power
        variance = variance + part * exp(power)
        time = time - part
    return variance


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def grown(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    rating: cython.double,
    deviation: cython.double,
    volatility: cython.double,
    time: cython.double,
) -> cython.double:
    """A deviation after `time` periods without a game."""
    variance: cython.double = deviation * deviation
    kind: cython.double = rules[at + 2]
    if time > 0.0 and kind != 0.0:
        if kind == 1.0:
            variance = variance + rules[at + 3] * time
        elif kind == 2.0:
            variance = variance + volatility * volatility * time / (rules[at] * rules[at])
        elif kind == 3.0:
            variance = variance + rules[at + 3] * log(1.0 + rules[at + 4] * time)
        else:
            variance = exponential(rules, at, rating, variance, time)
        deviation = sqrt(variance)
    return within(rules, at, deviation)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def weight_of(steepness: cython.double, deviation: cython.double) -> cython.double:
    """Glickman's g: how much a game tells that was played against an opponent of this deviation. 3 / pi² is printed."""
    natural: cython.double = steepness * deviation
    return 1.0 / sqrt(1.0 + 0.30396355092701331 * natural * natural)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def between(
    rules: cython.p_double, at: cython.Py_ssize_t, state: cython.p_double, s: cython.Py_ssize_t
) -> cython.double:
    """The rating with which a player comes to a game: newcomers enter, and what is not known is the entry's."""
    if state[s] != state[s]:
        if rules[at + 33] != rules[at + 33] or state[s + 1] > 0.0:
            return state[s]
        state[s] = rules[at + 33]
        state[s + 1] = rules[at + 34]
        state[s + 2] = rounded(rules[at + 33], rules[at + 31], rules[at + 32])
    if not (state[s + 4] > 0.0):
        state[s + 4] = rules[at + 11]
    if not (state[s + 5] > 0.0):
        state[s + 5] = rules[at + 14]
    if state[s + 5] > rules[at + 16]:
        state[s + 5] = rules[at + 16]
    return state[s]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def touch(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    state: cython.p_double,
    s: cython.Py_ssize_t,
    clock: cython.double,
    evidence: cython.p_double,
    o: cython.Py_ssize_t,
) -> cython.double:
    """What holds for a whole batch: the deviation with which a player comes to it, and its g."""
    time: cython.double = elapsed(rules, at, state[s + 3], state[s + 1], clock)
    if rules[at + 8] == 0.0:
        time = 0.0
    elif rules[at + 9] != 0.0:
        time = time - 1.0 if time > 1.0 else 0.0
    evidence[o + 5] = grown(rules, at, state[s], state[s + 4], state[s + 5], time)
    evidence[o + 6] = weight_of(rules[at], evidence[o + 5])
    return evidence[o + 6]


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def meet(
    rules: cython.p_double,
    at: cython.Py_ssize_t,
    difference: cython.double,
    weight: cython.double,
    score: cython.double,
    opponent: cython.double,
    evidence: cython.p_double,
    o: cython.Py_ssize_t,
) -> cython.double:
    """What one game says to one side; adds to evidence[o:] and returns the expected score.

    `difference` from this side, advantage included; `weight` is the g of the opponent.
    """
    expect: cython.double = logistic(rules[at] * weight * difference)
    evidence[o] = evidence[o] + 1.0
    evidence[o + 1] = evidence[o + 1] + score
    evidence[o + 2] = evidence[o + 2] + expect
    evidence[o + 3] = evidence[o + 3] + weight * (score - expect + rules[at + 21])
    evidence[o + 4] = evidence[o + 4] + weight * weight * expect * (1.0 - expect)
    evidence[o + 7] = evidence[o + 7] + opponent
    return expect


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def imbalance(
    x: cython.double,
    power: cython.double,
    a: cython.double,
    firm: cython.double,
    variance: cython.double,
    surplus: cython.double,
    information: cython.double,
) -> cython.double:
    """f of the paper's step 5, with both sides of the fraction multiplied by information²: no game is too certain.

    `power` is e^x, `firm` 1 / tau².
    """
    below: cython.double = 1.0 + information * (variance + power)
    return power * (surplus - information * information * power) / (2.0 * below * below) - (x - a) * firm


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def new_volatility(
    tau: cython.double,
    volatility: cython.double,
    variance: cython.double,
    gain: cython.double,
    information: cython.double,
    unknown: cython.double,
) -> cython.double:
    """Volatility after a period, by the Illinois iteration of the 2013 paper (step 5).

    The paper's loop ends after 100 steps at most, and the interval that is left is then halved. Where the games were so
    certain that the paper's upper bound, ln(delta² - phi² - v), has no number, the bound is searched for upwards in
    steps of tau as the lower one is searched for downwards. If there is none within 100 steps: `unknown`.
    """
    a: cython.double = 2.0 * log(volatility)
    firm: cython.double = 1.0 / (tau * tau)
    surplus: cython.double = gain * gain - information - information * information * variance
    low: cython.double = a
    high: cython.double
    at_low: cython.double = imbalance(a, volatility * volatility, a, firm, variance, surplus, information)
    at_high: cython.double
    middle: cython.double
    at_middle: cython.double
    step: cython.double = -tau
    _: cython.Py_ssize_t
    high = 1000.0
    if surplus > 0.0:
        step = tau
        if information > 0.0:
            high = log(surplus) - 2.0 * log(information)
    if high < 100.0:
        at_high = imbalance(high, exp(high), a, firm, variance, surplus, information)
    else:
        high = a
        at_high = at_low
        for _ in range(100):
            high = high + step
            at_high = imbalance(high, exp(high), a, firm, variance, surplus, information)
            if (step < 0.0 and at_high >= 0.0) or (step > 0.0 and at_high <= 0.0):
                break
        else:
            return unknown
    for _ in range(100):
        if -1e-6 <= high - low <= 1e-6:
            return exp(low / 2.0)
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = imbalance(middle, exp(middle), a, firm, variance, surplus, information)
        if at_middle * at_high <= 0.0:
            low = high
            at_low = at_high
        else:
            at_low = at_low / 2.0
        high = middle
        at_high = at_middle
    for _ in range(100):
        middle = (low + high) / 2.0
        at_middle = imbalance(middle, exp(middle), a, firm, variance, surplus, information)
        if (at_middle < 0.0) == (at_high < 0.0):
            high = middle
        else:
            low = middle
    return exp(low / 2.0)


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
    clock: cython.double,
    weight: cython.double,
    evidence: cython.p_double,
    o: cython.Py_ssize_t,
    totals: cython.p_double,
) -> cython.double:
    """The player's state at state[s:] after a batch; returns K, the factor of the gain.

    A boosted deviation is not taken as more than twice the largest one that the rules know: where a game was certain
    beforehand the boost has no other bound, and an upset would throw a rating out of every scale.

    `at_list` is the block of the list that comes of it: its bounds hold. `weight` is the g of the opponent where the
    batch is one game.
    """
    steepness: cython.double = rules[at]
    rating: cython.double = state[s]
    games: cython.double = evidence[o]
    gain: cython.double = evidence[o + 3]
    information: cython.double = evidence[o + 4]
    natural: cython.double = steepness * evidence[o + 5]
    variance: cython.double = natural * natural
    time: cython.double = 1.0
    k: cython.double
    z: cython.double
    change: cython.double
    shown: cython.double
    if rules[at + 15] > 0.0:
        z = new_volatility(rules[at + 15], state[s + 5], variance, gain, information, rules[at + 37])
        if z == z:
            z = 1e-6 if z < 1e-6 else z
            state[s + 5] = rules[at + 16] if z > rules[at + 16] else z
        else:
            totals[0] = totals[0] + 1.0
    if rules[at + 9] != 0.0 and rules[at + 2] == 2.0:
        if rules[at + 9] == 2.0:
            time = elapsed(rules, at, state[s + 3], state[s + 1], clock)
            time = 1.0 if time > 1.0 else time
        variance = variance + state[s + 5] * state[s + 5] * time
    variance = variance + rules[at + 20] * games * steepness * steepness
    variance = 1.0 / (1.0 / variance + information)
    if gain > 0.0 and information > 0.0 and gain > rules[at + 17] * sqrt(information):
        z = gain / sqrt(information)
        natural = sqrt(variance) / steepness * (1.0 + (z - rules[at + 17]) * rules[at + 18]) + rules[at + 19]
        natural = 2.0 * rules[at + 13] if natural > 2.0 * rules[at + 13] else natural
        natural = steepness * natural
        variance = 1.0 / (1.0 / (natural * natural) + information)
    k = variance / steepness
    if k * weight < rules[at + 23]:
        k = rules[at + 23] / weight
    change = k * gain
    if rules[at + 22] != 0.0:
        change = change + rules[at + 22] * (evidence[o + 7] / games - rating)
    change = rules[at + 25] if change > rules[at + 25] else change
    change = -rules[at + 25] if change < -rules[at + 25] else change
    if change > 0.0:
        change = change * rules[at + 24]
        k = k * rules[at + 24]
    rating = rating + rounded(change, rules[at + 26], rules[at + 27])
    if rating > rules[at_list + 30]:
        rating = rules[at_list + 30]
    if rating < rules[at_list + 29]:
        if rules[at_list + 28] == 1.0:
            rating = rules[at_list + 29]
        elif rules[at_list + 28] == 2.0:
            rating = rules[at + 37]
    state[s] = rating
    state[s + 1] = state[s + 1] + games
    shown = rounded(rating, rules[at_list + 31], rules[at_list + 32])
    if shown > state[s + 2]:
        state[s + 2] = shown
    state[s + 3] = clock if clock > 0.0 or rules[at + 10] != 0.0 else 1.0
    state[s + 4] = within(rules, at, sqrt(variance) / steepness)
    return k


def expected_score(
    rules: cython.double[::1],
    at: cython.Py_ssize_t,
    difference: cython.double,
    deviation: cython.double,
) -> float:
    """Expected score of who is `difference` points above an opponent of this deviation."""
    return logistic(rules[at] * weight_of(rules[at], deviation) * difference)


def weight(rules: cython.double[::1], at: cython.Py_ssize_t, deviation: cython.double) -> float:
    """Glickman's g of an opponent's deviation."""
    return weight_of(rules[at], deviation)


def grown_deviation(
    rules: cython.double[::1],
    at: cython.Py_ssize_t,
    rating: cython.double,
    deviation: cython.double,
    volatility: cython.double,
    time: cython.double,
) -> float:
    """`grown` for callers outside this file."""
    return grown(pointer(rules), at, rating, deviation, volatility, time)


def deviations_on(
    state_column: cython.double[::1],
    rules_column: cython.double[::1],
    at: cython.Py_ssize_t,
    clock: cython.double,
    codes: cython.longlong[::1],
    found: cython.double[::1],
) -> None:
    """The deviation of each of these players as it has grown by the time of `clock`: as they would come to a game then.

    Rules that reckon with the stored deviation show the grown one all the same.
    """
    state: cython.p_double = pointer(state_column)
    rules: cython.p_double = pointer(rules_column)
    row: cython.Py_ssize_t
    s: cython.Py_ssize_t
    time: cython.double
    deviation: cython.double
    for row in range(len(codes)):
        s = 6 * cython.cast(cython.Py_ssize_t, codes[row])
        time = elapsed(rules, at, state[s + 3], state[s + 1], clock)
        if rules[at + 9] != 0.0:
            time = time - 1.0 if time > 1.0 else 0.0
        deviation = state[s + 4] if state[s + 4] > 0.0 else rules[at + 11]
        found[row] = grown(rules, at, state[s], deviation, state[s + 5] if state[s + 5] > 0.0 else rules[at + 14], time)


def volatility_after(
    tau: cython.double,
    volatility: cython.double,
    deviation: cython.double,
    gain: cython.double,
    information: cython.double,
) -> float:
    """`new_volatility` for callers outside this file; `deviation` in natural units, nan where no bound was found."""
    return new_volatility(tau, volatility, deviation * deviation, gain, information, float("nan"))


def replay(
    state_column: cython.double[::1],
    rules_column: cython.double[::1],
    segments: cython.longlong[::1],
    clocks: cython.double[::1],
    first: cython.int[::1],
    second: cython.int[::1],
    score: cython.int[::1],
    scores: cython.double[::1],
    flags: cython.uchar[::1],
    clock: cython.double[::1],
    evidence_column: cython.double[::1],
    touched: cython.int[::1],
    slots: cython.int[::1],
    interim: cython.double[::1],
    before: cython.double[::1],
    expects: cython.double[::1],
    expects_second: cython.double[::1],
    after: cython.double[::1],
    used_k: cython.double[::1],
    gains: cython.double[::1],
    spread: cython.double[::1],
    changes: cython.double[::1],
    totals_column: cython.double[::1],
) -> int:
    """Replay games in the order in which they stand; returns how many rows of `changes` were written.

    `segments` and the columns of games are those of `kernel.replay`; `clocks` has the clock of each segment, `clock`,
    where the unit is the game, that of each game (empty: no clock). `evidence` has eight numbers a player where there
    are batches, and sixteen more; `touched` and `slots` one number a player; `interim` two numbers a player where a
    block asks for two passes. A batch's rows of evidence stand in the order in which its players are met, so that
    they lie together; a player's number in `slots` is that of the row, from 1.

    What is written, unless empty: a game's `before`, `after`, `expects`, `expects_second`, `used_k` and `gains` as in
    `kernel.replay`, and its `spread`, four numbers a side: deviation as met and after, volatility before and after. A
    batch's `changes`, twelve numbers a player: segment, player, before, after, games, score, expected, K, deviation
    as met and after, volatility before and after. `totals` counts the searches for a volatility that found
    none, which then stays as it was, and the games that were not rated.
    """
    s: cython.Py_ssize_t = 0
    g: cython.Py_ssize_t
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    p: cython.Py_ssize_t
    q: cython.Py_ssize_t
    at: cython.Py_ssize_t
    at_settle: cython.Py_ssize_t
    at_list: cython.Py_ssize_t
    t: cython.Py_ssize_t
    o: cython.Py_ssize_t
    row: cython.Py_ssize_t
    state: cython.p_double = pointer(state_column)
    rules: cython.p_double = pointer(rules_column)
    evidence: cython.p_double = pointer(evidence_column)
    totals: cython.p_double = pointer(totals_column)
    n_segments: cython.Py_ssize_t = len(segments) // 6
    n_touched: cython.Py_ssize_t = 0
    opened: cython.Py_ssize_t = 0
    rows: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t
    last: cython.Py_ssize_t
    again: cython.bint = False
    batches: cython.bint
    want_before: cython.bint = len(before) > 0
    want_expects: cython.bint = len(expects) > 0
    want_more: cython.bint = len(after) > 0
    want_spread: cython.bint = len(spread) > 0
    want_changes: cython.bint = len(changes) > 0
    now: cython.double
    ra: cython.double
    rb: cython.double
    ga: cython.double
    gb: cython.double
    oa: cython.double
    ob: cython.double
    edge: cython.double
    ea: cython.double
    eb: cython.double
    ka: cython.double
    kb: cython.double
    va: cython.double
    vb: cython.double
    flag: cython.int
    none: cython.double = rules[37]
    scratch: cython.Py_ssize_t = len(evidence_column) - 16

    with cython.nogil:
        while s < n_segments:
            at = cython.cast(cython.Py_ssize_t, segments[6 * s + 2])
            at_settle = cython.cast(cython.Py_ssize_t, segments[6 * s + 3])
            at_list = cython.cast(cython.Py_ssize_t, segments[6 * s + 4])
            batches = rules[at_settle + 35] != 0.0
            if segments[6 * s + 5] >= 2:
                opened = s
            now = clocks[s] if len(clocks) > 0 else 0.0
            begin = cython.cast(cython.Py_ssize_t, segments[6 * s])
            last = cython.cast(cython.Py_ssize_t, segments[6 * s + 1])
            for g in range(begin, last):
                if cython.compiled and g + 16 < last:
                    prefetch(cython.address(state[6 * first[g + 16]]))
                    prefetch(cython.address(state[6 * first[g + 16] + 5]))
                    prefetch(cython.address(state[6 * second[g + 16]]))
                    prefetch(cython.address(state[6 * second[g + 16] + 5]))
                p = first[g]
                q = second[g]
                i = 6 * p
                j = 6 * q
                flag = flags[g] if len(flags) > 0 else 0
                ra = between(rules, at_settle, state, i)
                rb = between(rules, at_settle, state, j)
                if (flag & 4) or ra != ra or rb != rb:
                    totals[1] = totals[1] + (0.0 if again else 1.0)
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
                    if want_spread:
                        for row in range(8 * g, 8 * g + 8):
                            spread[row] = none
                    continue
                if batches:
                    if slots[p] == 0:
                        touched[n_touched] = first[g]
                        touch(rules, at_settle, state, i, now, evidence, 8 * n_touched)
                        n_touched = n_touched + 1
                        slots[p] = cython.cast(cython.int, n_touched)
                    if slots[q] == 0:
                        touched[n_touched] = second[g]
                        touch(rules, at_settle, state, j, now, evidence, 8 * n_touched)
                        n_touched = n_touched + 1
                        slots[q] = cython.cast(cython.int, n_touched)
                    o = 8 * (slots[p] - 1)
                    t = 8 * (slots[q] - 1)
                else:
                    o = scratch
                    t = scratch + 8
                    for row in range(o, o + 16):
                        evidence[row] = 0.0
                    now = clock[g] if len(clock) > 0 else 0.0
                    touch(rules, at_settle, state, i, now, evidence, o)
                    touch(rules, at_settle, state, j, now, evidence, t)
                oa = ra
                ob = rb
                ga = evidence[o + 6]
                gb = evidence[t + 6]
                if again:  # the opponents as the first pass left them
                    oa = interim[2 * p]
                    ga = interim[2 * p + 1]
                    ob = interim[2 * q]
                    gb = interim[2 * q + 1]
                edge = 0.0 if flag & 1 else rules[at + 1]
                row = 2 * cython.cast(cython.Py_ssize_t, score[g])
                ka = evidence[o + 3]
                kb = evidence[t + 3]
                ea = meet(rules, at, ra - ob + edge, gb, scores[row], ob, evidence, o)
                eb = meet(rules, at, rb - oa - edge, ga, scores[row + 1], oa, evidence, t)
                if want_before:
                    before[2 * g] = ra
                    before[2 * g + 1] = rb
                if want_expects:
                    expects[g] = ea
                if want_more:
                    expects_second[g] = eb
                    gains[2 * g] = evidence[o + 3] - ka
                    gains[2 * g + 1] = evidence[t + 3] - kb
                    used_k[2 * g] = none
                    used_k[2 * g + 1] = none
                if want_spread:
                    for row in range(8 * g, 8 * g + 8):
                        spread[row] = none
                    spread[8 * g] = evidence[o + 5]
                    spread[8 * g + 2] = state[i + 5]
                    spread[8 * g + 4] = evidence[t + 5]
                    spread[8 * g + 6] = state[j + 5]
                if not batches:
                    ka = settle(rules, at_settle, at_list, state, i, now, gb, evidence, o, totals)
                    kb = settle(rules, at_settle, at_list, state, j, now, ga, evidence, t, totals)
                    if want_more:
                        used_k[2 * g] = ka
                        used_k[2 * g + 1] = kb
                        after[2 * g] = state[i]
                        after[2 * g + 1] = state[j]
                    if want_spread:
                        spread[8 * g + 1] = state[i + 4]
                        spread[8 * g + 3] = state[i + 5]
                        spread[8 * g + 5] = state[j + 4]
                        spread[8 * g + 7] = state[j + 5]

            if segments[6 * s + 5] % 2 == 1 and n_touched > 0:
                if rules[at_settle + 36] == 2.0 and not again:
                    # Settle everybody, keep what comes of it for the opponents, and put the states back.
                    for t in range(n_touched):
                        p = touched[t]
                        i = 6 * p
                        o = 8 * t
                        row = scratch
                        for g in range(6):
                            evidence[row + g] = state[i + g]
                        settle(rules, at_settle, at_list, state, i, now, 1.0, evidence, o, totals)
                        interim[2 * p] = state[i] if state[i] == state[i] else evidence[row]
                        interim[2 * p + 1] = weight_of(rules[at_settle], state[i + 4])
                        for g in range(6):
                            state[i + g] = evidence[row + g]
                        for g in range(5):
                            evidence[o + g] = 0.0
                        evidence[o + 7] = 0.0
                    again = True
                    s = opened
                    continue
                for t in range(n_touched):
                    p = touched[t]
                    if cython.compiled and t + 16 < n_touched:
                        prefetch(cython.address(state[6 * touched[t + 16]]))
                        prefetch(cython.address(state[6 * touched[t + 16] + 5]))
                    i = 6 * p
                    o = 8 * t
                    ra = state[i]
                    va = evidence[o + 5]
                    vb = state[i + 5]
                    ka = settle(rules, at_settle, at_list, state, i, now, 1.0, evidence, o, totals)
                    if want_changes:
                        row = 12 * rows
                        changes[row] = s
                        changes[row + 1] = p
                        changes[row + 2] = ra
                        changes[row + 3] = state[i]
                        changes[row + 4] = evidence[o]
                        changes[row + 5] = evidence[o + 1]
                        changes[row + 6] = evidence[o + 2]
                        changes[row + 7] = ka
                        changes[row + 8] = va
                        changes[row + 9] = state[i + 4]
                        changes[row + 10] = vb
                        changes[row + 11] = state[i + 5]
                        rows = rows + 1
                    for row in range(o, o + 8):
                        evidence[row] = 0.0
                    slots[p] = 0
                n_touched = 0
                again = False
            s = s + 1
    return rows
