"""The kernel as the rest of the program sees it; `kernel.py` says what everything means.

Columns are anything with a writable buffer of the kind named: d float64, i int32, q int64, B uint8.
"""

from arpad.model import Column

COMPILED: bool
BLOCK: tuple[str, ...]

def rounded(x: float, rule: float, step: float) -> float: ...
def logistic(x: float) -> float: ...
def expected_score(rules: Column, at: int, own: float, opponent: float, difference: float) -> float: ...
def coefficient_of(
    rules: Column, at: int, rating: float, games: float, peak: float, age: float, batch: float
) -> float: ...
def game_bonus_of(rules: Column, at: int, rating: float, games: float, peak: float, age: float) -> float: ...
def rise_of(rules: Column, at: int, k: float, games: float, rating: float, peak: float, change: float) -> float: ...
def margin_factor(rules: Column, at: int, margin: float, difference: float) -> float: ...
def surprise_factor(rules: Column, at: int, score: float, expect: float) -> float: ...
def surprise_of_several(rules: Column, at: int, score: float, expect: float, spread: float) -> float: ...
def bonus_of(
    rules: Column, at: int, rating: float, games: float, peak: float, age: float, difference: float
) -> float: ...
def cap_of(
    rules: Column,
    at: int,
    state: Column,
    s: int,
    own: float,
    opponent: float,
    difference: float,
    age: float,
    score: float,
) -> float: ...
def round_to(x: float, rule: float, step: float) -> float: ...
def replay(
    state: Column,
    rules: Column,
    segments: Column,
    first: Column,
    second: Column,
    score: Column,
    scores: Column,
    margin: Column,
    flags: Column,
    importance: Column,
    season: Column,
    year: Column,
    born: Column,
    event: Column,
    length: Column,
    handicap: Column,
    lag: Column,
    lists: Column,
    evidence: Column,
    touched: Column,
    before: Column,
    expects: Column,
    expects_second: Column,
    after: Column,
    used_k: Column,
    gains: Column,
    changes: Column,
    totals: Column,
) -> int: ...
