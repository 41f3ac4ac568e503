"""The kernel of Glicko and its relatives as the rest of the program sees it; `kernel_glicko.py` says what it means.

Columns are anything with a writable buffer of the kind named: d float64, i int32, q int64, B uint8.
"""

from arpad.model import Column

COMPILED: bool
BLOCK: tuple[str, ...]

def expected_score(rules: Column, at: int, difference: float, deviation: float) -> float: ...
def weight(rules: Column, at: int, deviation: float) -> float: ...
def grown_deviation(
    rules: Column, at: int, rating: float, deviation: float, volatility: float, time: float
) -> float: ...
def deviations_on(state: Column, rules: Column, at: int, clock: float, codes: Column, found: Column) -> None: ...
def volatility_after(tau: float, volatility: float, deviation: float, gain: float, information: float) -> float: ...
def replay(
    state: Column,
    rules: Column,
    segments: Column,
    clocks: Column,
    first: Column,
    second: Column,
    score: Column,
    scores: Column,
    flags: Column,
    clock: Column,
    evidence: Column,
    touched: Column,
    slots: Column,
    interim: Column,
    before: Column,
    expects: Column,
    expects_second: Column,
    after: Column,
    used_k: Column,
    gains: Column,
    spread: Column,
    changes: Column,
    totals: Column,
) -> int: ...
