"""How each other library is asked for sequential Elo, K 32 from 1500, at its fastest documented call.

`prepare` makes the objects that the library wants (not timed) and returns a task that rates them and tells its seconds.
A library that knows no draws is given them as losses of the first side, which costs it nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Task = Callable[[], float]
Columns = dict[str, Any]


@dataclass(frozen=True)
class Peer:
    name: str
    module: str
    games: int
    prepare: Callable[[Columns, int], Task]


def timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def names(codes: Any) -> list[str]:
    return [f"P{code:07d}" for code in codes.tolist()]


def rows(columns: Columns) -> list[tuple[int, int, float]]:
    return list(zip(columns["first"].tolist(), columns["second"].tolist(), columns["score"].tolist(), strict=True))


def evalica_winners(columns: Columns) -> list[Any]:
    from evalica import Winner

    winner = {1.0: Winner.X, 0.0: Winner.Y, 0.5: Winner.Draw}
    return [winner[score] for score in columns["score"].tolist()]


def evalica_core(columns: Columns, players: int) -> Task:
    import evalica

    given = {
        "xs": columns["first"].tolist(),
        "ys": columns["second"].tolist(),
        "winners": evalica_winners(columns),
        "weights": [1.0] * len(columns["first"]),
    }
    settings = {
        "total": players,
        "initial": 1500.0,
        "base": 10.0,
        "scale": 400.0,
        "k": 32.0,
        "win_weight": 1.0,
        "tie_weight": 0.5,
    }
    return lambda: timed(lambda: evalica._brzo.elo(**given, **settings))


def evalica_public(columns: Columns, players: int) -> Task:
    import evalica

    given = names(columns["first"]), names(columns["second"]), evalica_winners(columns)
    return lambda: timed(lambda: evalica.elo(*given, initial=1500.0, k=32.0))


def belo(columns: Columns, players: int) -> Task:
    import belo as library

    if hasattr(library, "init_state"):
        library.init_state()
    word = {1.0: "gt", 0.0: "lt", 0.5: "eq"}
    given = list(zip(names(columns["first"]), names(columns["second"]), columns["score"].tolist(), strict=True))
    for name in sorted({name for first, second, _ in given for name in (first, second)}):
        library.add_player(name)

    def work() -> None:
        for first, second, score in given:
            library.record_game(first, word[score], second)

    return lambda: timed(work)


def riix(columns: Columns, players: int) -> Task:
    import numpy as np
    from riix.models.elo import Elo
    from riix.utils import MatchupDataset

    pairs = np.column_stack([columns["first"], columns["second"]]).astype(np.int32)
    data = MatchupDataset.init_from_arrays(
        np.arange(len(pairs)), pairs, columns["score"], [f"P{code:07d}" for code in range(players)]
    )

    def run() -> float:
        model = Elo(data.competitors, update_method="iterative")
        return timed(lambda: model.fit_dataset(data))

    return run


def elo_calculator(columns: Columns, players: int) -> Task:
    from elo_calculator import quick_calc

    given = [(a, b) if score else (b, a) for a, b, score in rows(columns)]

    def run() -> float:
        rating = [1500] * players

        def work() -> None:
            for winner, loser in given:
                rating[winner], rating[loser] = quick_calc(rating[winner], rating[loser], 32)

        return timed(work)

    return run


def elopy(columns: Columns, players: int) -> Task:
    from elopy.elo import Elo

    given = rows(columns)

    def run() -> float:
        rating = [Elo(1500.0, 32.0, 0) for _ in range(players)]

        def work() -> None:
            for a, b, score in given:
                rating[a].play_game(rating[b], 1 if score == 1.0 else -1)

        return timed(work)

    return run


def elote(columns: Columns, players: int) -> Task:
    from elote import EloCompetitor

    given = rows(columns)

    def run() -> float:
        rating = [EloCompetitor(initial_rating=1500.0, k_factor=32.0) for _ in range(players)]

        def work() -> None:
            for a, b, score in given:
                if score == 1.0:
                    rating[a].beat(rating[b])
                elif score == 0.0:
                    rating[b].beat(rating[a])
                else:
                    rating[a].tied(rating[b])

        return timed(work)

    return run


def elochess(columns: Columns, players: int) -> Task:
    from elochess.elo import EloCalculator

    given = rows(columns)

    def run() -> float:
        rating = [1500] * players

        def work() -> None:
            for a, b, score in given:
                one, two = rating[a], rating[b]
                rating[a] = EloCalculator.update_rating(one, [two], score)
                rating[b] = EloCalculator.update_rating(two, [one], 1.0 - score)

        return timed(work)

    return run


def skelo(columns: Columns, players: int) -> Task:
    import numpy as np
    import pandas as pd
    from skelo.model.elo import EloEstimator

    count = len(columns["first"])
    frame = pd.DataFrame({"a": columns["first"], "b": columns["second"], "t": np.arange(count)})
    won = (columns["score"] == 1.0).astype(int)
    return lambda: timed(lambda: EloEstimator("a", "b", "t", default_k=32, initial_value=1500.0).fit(frame, won))


def elo_grad(columns: Columns, players: int) -> Task:
    import numpy as np
    import pandas as pd
    from elo_grad import EloEstimator

    frame = pd.DataFrame(
        {
            "t": np.arange(len(columns["first"])),
            "entity_1": names(columns["first"]),
            "entity_2": names(columns["second"]),
            "result": (columns["score"] == 1.0).astype(int),
        }
    )

    def work() -> None:
        EloEstimator(
            k_factor=32,
            default_init_rating=1500.0,
            entity_cols=("entity_1", "entity_2"),
            score_col="result",
            date_col="t",
        ).fit(frame)

    return lambda: timed(work)


PEERS = (
    Peer("evalica, its Rust core alone", "evalica", 1_000_000, evalica_core),
    Peer("evalica, public call", "evalica", 1_000_000, evalica_public),
    Peer("belo, `record_game`", "belo", 100_000, belo),
    Peer("elo-calculator, `quick_calc` (whole numbers, no draws)", "elo_calculator", 1_000_000, elo_calculator),
    Peer("riix, per game", "riix", 1_000_000, riix),
    Peer("elopy", "elopy", 500_000, elopy),
    Peer("elochess", "elochess", 200_000, elochess),
    Peer("elote", "elote", 200_000, elote),
    Peer("skelo (no draws)", "skelo", 100_000, skelo),
    Peer("elo-grad (no draws)", "elo_grad", 200_000, elo_grad),
)


# ------------------------------------------------------------------------------------------------ Glicko-2


def glicko2_months(columns: Columns, players: int) -> Task:
    """A `Player` each; a month's opponents as lists, the values from before the month."""
    from glicko2 import Player

    given = list(zip(columns["month"].tolist(), *zip(*rows(columns)), strict=True))

    def run() -> float:
        people = [Player() for _ in range(players)]

        def settle(met: dict[int, tuple[list[float], list[float], list[float]]]) -> None:
            for player, lists in met.items():
                people[player].update_player(*lists)

        def work() -> None:
            met: dict[int, tuple[list[float], list[float], list[float]]] = {}
            before = None
            for month, a, b, score in given:
                if month != before:
                    settle(met)
                    met, before = {}, month
                for own, other, result in ((a, b, score), (b, a, 1.0 - score)):
                    ratings, deviations, results = met.setdefault(own, ([], [], []))
                    ratings.append(people[other].rating)
                    deviations.append(people[other].rd)
                    results.append(result)
            settle(met)

        return timed(work)

    return run


def riix_glicko2(method: str) -> Callable[[Columns, int], Task]:
    def prepare(columns: Columns, players: int) -> Task:
        import numpy as np
        from riix.models.glicko2 import Glicko2
        from riix.utils import MatchupDataset

        pairs = np.column_stack([columns["first"], columns["second"]]).astype(np.int32)
        names = [f"P{code:07d}" for code in range(players)]
        data = MatchupDataset.init_from_arrays(columns["month"].astype(np.int64), pairs, columns["score"], names)

        def run() -> float:
            model = Glicko2(data.competitors, update_method=method)
            return timed(lambda: model.fit_dataset(data))

        return run

    return prepare


def elote_glicko2(columns: Columns, players: int) -> Task:
    import logging

    from elote import Glicko2Competitor

    logging.disable(logging.CRITICAL)
    given = rows(columns)

    def run() -> float:
        people: dict[int, Any] = {}

        def work() -> None:
            for a, b, score in given:
                for code in (a, b):
                    if code not in people:
                        people[code] = Glicko2Competitor()
                if score == 1.0:
                    people[a].beat(people[b])
                elif score == 0.0:
                    people[b].beat(people[a])
                else:
                    people[a].tied(people[b])

        return timed(work)

    return run


def skelo_glicko2(columns: Columns, players: int) -> Task:
    import numpy as np
    import pandas as pd
    from skelo.model.glicko2 import Glicko2Estimator

    frame = pd.DataFrame({"a": columns["first"], "b": columns["second"], "t": np.arange(len(columns["first"]))})
    won = (columns["score"] == 1.0).astype(int)
    return lambda: timed(lambda: Glicko2Estimator("a", "b", "t").fit(frame, won))


GLICKO_PEERS = (
    Peer("glicko2, a month at a time", "glicko2", 200_000, glicko2_months),
    Peer("riix, game by game within a month", "riix", 200_000, riix_glicko2("iterative")),
    Peer("riix, batched", "riix", 20_000, riix_glicko2("batched")),
    Peer("skelo, every game a period (no draws)", "skelo", 50_000, skelo_glicko2),
    Peer("elote, every game a period", "elote", 50_000, elote_glicko2),
)
