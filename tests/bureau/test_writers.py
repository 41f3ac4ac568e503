"""Several processes reporting to one office: each acknowledged game counts once."""

from __future__ import annotations

import random
import subprocess
import sys
from datetime import date, timedelta

from arpad.bureau.keeping import verify
from arpad.bureau.opened import init, open_office
from arpad.model import Game
from tests.bureau.worlds import PEOPLE, exact, fresh

WRITERS, EACH = 4, 12

#: What a writer does: its games in an order of its own, each twice; it prints the ids of those acknowledged.
WRITER = """
import random, sys
from arpad.bureau.opened import open_office
from tests.bureau.test_writers import games
from tests.bureau.worlds import taken
place, seed = sys.argv[1], int(sys.argv[2])
mine = games() * 2
random.Random(seed).shuffle(mine)
with open_office(place, patience=60) as office:
    for game in mine[:%d]:
        if taken(office, [game]).accepted:
            print(game.id)
"""


def games() -> list[Game]:
    random_ = random.Random(4)
    found = []
    for number in range(EACH * 2):
        first, second = random_.sample(PEOPLE, 2)
        day = date(2024, 1, 1) + timedelta(days=random_.randrange(200))
        found.append(Game(first, second, random_.choice([0.0, 0.5, 1.0]), date=day, id=f"g{number}"))
    return found


def test_promise_7_writers_at_once_lose_nothing_and_double_nothing(place: str) -> None:
    init(place, "elo").close()
    program = [sys.executable, "-c", WRITER % (2 * EACH), place]
    writers = [
        subprocess.Popen([*program, str(seed)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for seed in range(WRITERS)
    ]
    done = [writer.communicate(timeout=120) for writer in writers]
    assert [error for _, error in done if error] == []
    acknowledged = {word for told, _ in done for word in told.split()}
    with open_office(place) as office:
        assert verify(office) == []
        assert office.store.value("select count(*) from game") == len(acknowledged)
        assert exact(office) == fresh([game for game in games() if game.id in acknowledged], office)
