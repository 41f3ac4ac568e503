"""Make the demo office: an invented chess league of sixty people through a year, and five real football leagues.

    python scripts/demo_office.py build/demo.db

Nobody in the league exists, nor does any of its events; their FIDE ids lie where FIDE gives none. Events are paired
and played here, by chance that is the same every time, and handed in as reports, as arbiters would. All that an office
lives through happens in it: a report that is held, corrections, one of them taken back, a person registered twice, one
who is hidden and one who was erased; six members keep a ladder. The same ratings come of it each time, and its log goes
by the league's calendar.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from pathlib import Path
from unittest import mock

import msgspec

from arpad.bureau import ladder, ladder_rows, lists
from arpad.bureau.corrections import Change, correct, revert
from arpad.bureau.erasing import erase
from arpad.bureau.intake import Decisions, receive, stage
from arpad.bureau.opened import Office, add_list, init
from arpad.bureau.people import describe, merge, show
from arpad.bureau.register import Told, add_acts, join, tell
from arpad.formats import read_members
from arpad.formats.people import Member
from arpad.formats.report import POINTS, Entrant, Report, RoundResult
from arpad.formats.trf_write import write_trf
from arpad.ledger import chain
from arpad.model import Act

HERE = Path(__file__).resolve().parent
MEMBERS = HERE / "demo_members.csv"
FOOTBALL = HERE.parent / "src" / "arpad" / "data" / "football.csv.gz"
SEASON = date(2024, 10, 1)
#: Places on the list of members.
JUNIORS = (32, 33, 38, 41, 44, 47, 49, 50, 51, 53, 55, 56, 57, 58, 59, 25)
VETERANS = (7, 10, 15, 18, 20, 24, 39, 42)
#: How strong somebody plays who has no rating yet.
NEWCOMER = 1480.0
#: Of so many games, one is decided by a player who does not come.
ABSENCE = 70


class Plan(msgspec.Struct, frozen=True):
    """An event to be played: `who` are places on the list of members, `every` the days from round to round."""

    name: str
    city: str
    federation: str
    start: date
    who: Sequence[int]
    rounds: int
    every: int = 1
    pool: str = ""
    table: bool = False  # handed in as CSV, not as a report file

    @property
    def all_play_all(self) -> bool:
        return self.rounds >= len(self.who) - 1

    def day(self, turn: int) -> date:
        return self.start + timedelta(days=turn * self.every)


class Pairing(msgspec.Struct, frozen=True):
    """Who plays whom in a round, and White's score; `black` None: a bye. `forfeit`: nobody moved."""

    white: int
    black: int | None
    score: float
    forfeit: bool = False


def plans() -> list[Plan]:
    """The events of the year, by their first day."""
    rapid = "rapid"
    return [
        Plan("Three Lakes Open 2024", "Lacalto", "ITA", date(2024, 10, 12), range(40), 7),
        Plan("Masters of the Upper Lake", "Orvenna", "SUI", date(2024, 11, 2), range(10), 9),
        Plan("Torneo d'autunno", "Lacalto", "ITA", date(2024, 11, 16), range(20, 60, 2), 5, 7, table=True),
        Plan("Advent Rapid", "Sankt Ägid", "AUT", date(2024, 12, 8), range(2, 50, 2), 7, 0, rapid),
        Plan("Epiphany Round Robin", "Vallombra", "ITA", date(2025, 1, 3), range(10, 18), 7, table=True),
        Plan("Juniors' Winter Cup", "Orvenna", "SUI", date(2025, 1, 18), JUNIORS, 6),
        Plan("Carnival Rapid", "Lacalto", "ITA", date(2025, 2, 22), range(1, 60, 3), 6, 0, rapid, True),
        Plan("Copa de los Tres Lagos", "Villaserena", "ESP", date(2025, 3, 8), range(0, 48, 2), 6, 7),
        Plan("Easter Congress", "Seehövel", "GER", date(2025, 4, 17), range(3, 47), 7),
        Plan("Trofeo delle Rocche", "Roccapiana", "ITA", date(2025, 5, 10), range(18, 28), 9, 3, table=True),
        Plan("Midsummer Rapid", "Sølvvik", "NOR", date(2025, 6, 21), range(56), 9, 0, rapid),
        Plan("Juniors' Championship", "Vallombra", "ITA", date(2025, 7, 5), JUNIORS[:10], 9),
        Plan("Puchar Trzech Jezior", "Jeziorna Góra", "POL", date(2025, 8, 9), range(1, 60, 2), 7),
        Plan("Veterans' Meeting", "Lacalto", "ITA", date(2025, 9, 6), VETERANS, 7, table=True),
        Plan("Three Lakes Open 2025", "Lacalto", "ITA", date(2025, 10, 11), range(44), 7),
        Plan("Lantern Week", "Orvenna", "SUI", date(2025, 11, 10), range(12, 22), 9, table=True),
    ]  # fmt: skip


# ------------------------------------------------------------------------------------------------ pairing and playing


def played(plan: Plan, strengths: Mapping[int, float], chance: random.Random) -> list[list[Pairing]]:
    """Every round of an event."""
    rounds: list[list[Pairing]] = []
    for turn in range(plan.rounds):
        pairs = berger(plan.who, turn) if plan.all_play_all else swiss(plan.who, rounds)
        rounds.append([game(pair, strengths, chance) for pair in pairs])
    return rounds


def berger(people: Sequence[int], turn: int) -> list[tuple[int, int | None]]:
    """A round in which everybody meets another one, of as many as there are others: the last one stays, the others go
    round."""
    *others, last = people
    turned = [*others[turn:], *others[:turn]]
    first = (turned[0], last) if turn % 2 else (last, turned[0])
    middle = len(others) // 2
    return [first, *zip(turned[1 : middle + 1], reversed(turned[middle + 1 :]))]


def swiss(people: Sequence[int], rounds: Sequence[Sequence[Pairing]]) -> list[tuple[int, int | None]]:
    """Whoever has as many points, the upper half against the lower; nobody meets anybody twice."""
    points = dict.fromkeys(people, 0.0)
    whites = dict.fromkeys(people, 0)
    met: set[frozenset[int]] = set()
    idle: set[int] = set()
    for pairing in (pairing for round_ in rounds for pairing in round_):
        points[pairing.white] += pairing.score
        if pairing.black is None:
            idle.add(pairing.white)
        else:
            points[pairing.black] += 1 - pairing.score
            whites[pairing.white] += 1
            whites[pairing.black] -= 1
            met.add(frozenset((pairing.white, pairing.black)))
    order = sorted(people, key=lambda each: (-points[each], people.index(each)))
    bye = [next(each for each in reversed(order) if each not in idle)] if len(order) % 2 else []
    found = matched([each for each in order if each not in bye], points, met)
    assert found is not None, "too many rounds for so few people"
    turned = [(b, a) if whites[a] > whites[b] else (a, b) for a, b in found]
    return [*turned, *((each, None) for each in bye)]


def matched(order: list[int], points: Mapping[int, float], met: set[frozenset[int]]) -> list[tuple[int, int]] | None:
    if not order:
        return []
    first, *rest = order
    group = sum(points[each] == points[first] for each in order) // 2
    likes = sorted(range(len(rest)), key=lambda at: (points[first] - points[rest[at]], abs(at + 1 - group)))
    for at in likes:
        if frozenset((first, rest[at])) not in met:
            others = matched(rest[:at] + rest[at + 1 :], points, met)
            if others is not None:
                return [(first, rest[at]), *others]
    return None


def game(pair: tuple[int, int | None], strengths: Mapping[int, float], chance: random.Random) -> Pairing:
    white, black = pair
    if black is None:
        return Pairing(white, None, 1.0)
    difference = strengths[white] + 35 - strengths[black]
    expected = 1 / (1 + 10 ** (-difference / 400))
    draw = 0.36 * (1 - abs(2 * expected - 1))
    luck = chance.random()
    score = 1.0 if luck < expected - draw / 2 else 0.5 if luck < expected + draw / 2 else 0.0
    absent = chance.random() < 1 / ABSENCE
    return Pairing(white, black, score if score != 0.5 or not absent else 1.0, absent)


# ------------------------------------------------------------------------------------------------------------ reports


def report_file(
    plan: Plan,
    rounds: Sequence[Sequence[Pairing]],
    members: Sequence[Member],
    ratings: Mapping[int, float],
    titles: Mapping[int, str],
) -> bytes:
    """The report of an event as FIDE's format has it."""
    number = {place: at for at, place in enumerate(plan.who, 1)}
    results: dict[int, list[RoundResult]] = {place: [] for place in plan.who}
    for turn, pairings in enumerate(rounds, 1):
        for each in pairings:
            if each.black is None:
                results[each.white].append(RoundResult(None, "-", "U"))
                continue
            codes = ("+", "-") if each.forfeit else ("1", "=", "0")
            mine, theirs = (codes, codes[::-1]) if each.score else (codes[::-1], codes)
            at = 1 if each.score == 0.5 else 0
            results[each.white].append(RoundResult(number[each.black], "w", mine[at]))
            results[each.black].append(RoundResult(number[each.white], "b", theirs[at]))
        assert all(len(held) == turn for held in results.values())
    points = {place: sum(POINTS[each.code] for each in held) for place, held in results.items()}
    order = sorted(points.values(), reverse=True)
    entrants = [
        Entrant(
            number[place],
            members[place].name,
            title=titles.get(place, ""),
            rating=round(ratings[place]) if place in ratings else None,
            federation=members[place].federation,
            fide_id=int(members[place].number),
            born=members[place].born,
            points=points[place],
            rank=order.index(points[place]) + 1,
            results=tuple(results[place]),
        )
        for place in plan.who
    ]
    return write_trf(
        Report(
            plan.name,
            plan.city,
            plan.federation,
            plan.day(0),
            plan.day(plan.rounds - 1),
            declared_players=len(entrants),
            declared_rated=sum(each.rating is not None for each in entrants),
            kind="Round robin" if plan.all_play_all else "Swiss system",
            arbiter="IA Stellardi, Onorato",
            allotted="15 minutes, 10 seconds a move"
            if plan.pool
            else "90 minutes for 40 moves, 30 minutes for the rest, 30 seconds a move",
            round_dates=tuple(plan.day(turn) for turn in range(plan.rounds)),
            declared_rounds=plan.rounds,
            entrants=tuple(entrants),
        )
    )[0]


def table(plan: Plan, rounds: Sequence[Sequence[Pairing]], members: Sequence[Member]) -> bytes:
    """The games of an event as a table, by the players' numbers."""
    words = {1.0: "1-0", 0.5: "1/2-1/2", 0.0: "0-1"}
    rows = ["event,round,date,white,black,result"]
    for turn, pairings in enumerate(rounds):
        rows += [
            f"{plan.name},{turn + 1},{plan.day(turn)},{members[each.white].number},{members[each.black].number},"
            f"{words[each.score]}"
            for each in pairings
            if each.black is not None and not each.forfeit
        ]
    return ("\n".join(rows) + "\n").encode()


def file_name(plan: Plan) -> str:
    plain = "".join(letter if letter.isalnum() else "-" for letter in plan.name.replace("'", "")).lower()
    return f"{plain}.{'csv' if plan.table else 'trf'}"


# -------------------------------------------------------------------------------------------------------- the office


class Clock:
    """What the log goes by here in place of the machine's clock: the league's calendar, a second an entry."""

    def __init__(self) -> None:
        self.instant = datetime.combine(SEASON, time(9), UTC)

    def reach(self, day: date) -> None:
        self.instant = max(self.instant, datetime.combine(day, time(9), UTC))

    def now(self, zone: tzinfo) -> datetime:
        self.instant += timedelta(seconds=1)
        return self.instant.astimezone(zone)


class Season:
    """An office while the year goes by: who everybody is, and how strong they play."""

    def __init__(self, office: Office, folder: Path) -> None:
        self.office, self.folder = office, folder
        self.chance = random.Random(1903)
        self.members, problems = read_members(str(MEMBERS))
        assert not [each for each in problems if each.severity == "error"], problems
        self.persons = join(office, self.members, "standard", "fide", "the league begins")
        self.strengths = {
            at: (each.rating or NEWCOMER) + 90 * (self.chance.random() - 0.4) for at, each in enumerate(self.members)
        }
        add_list(office, "fide/rapid", name="rapid", base=SEASON, pool="rapid")
        rapid = [
            Act("entry", str(person), SEASON.toordinal(), each.rating + (at * 37) % 121 - 60, (each.games or 0) // 3)
            for at, (person, each) in enumerate(zip(self.persons, self.members))
            if each.rating is not None
        ]
        add_acts(office, rapid, "rapid", "the league begins")

    def play(self, plan: Plan) -> list[list[Pairing]]:
        """An event is played and its report taken in; juniors get better."""
        rounds = played(plan, self.strengths, self.chance)
        path = self.folder / file_name(plan)
        path.write_bytes(self.written(plan, rounds))
        done = receive(self.office, str(path), Decisions(ids="fide" if plan.table else "", pool=plan.pool))
        assert done.accepted, (plan.name, done.holds)
        for place in plan.who:
            born = self.members[place].born
            self.strengths[place] += 22 if born and born.year >= 2005 else 0
        return rounds

    def written(self, plan: Plan, rounds: Sequence[Sequence[Pairing]]) -> bytes:
        if plan.table:
            return table(plan, rounds, self.members)
        return report_file(plan, rounds, self.members, self.ratings(plan.pool or "standard"), self.titles())

    def ratings(self, name: str) -> dict[int, float]:
        """By place, as the list has them now."""
        listed = lists.revised(self.office, None, name).columns
        held = dict(zip(listed["person"], listed["rating"]))
        return {at: held[person] for at, person in enumerate(self.persons) if held.get(person) is not None}

    def titles(self) -> dict[int, str]:
        return {at: each.title for at, each in enumerate(self.members) if each.title}

    def publish(self, day: date) -> None:
        for name in ("standard", "rapid"):
            lists.publish(self.office, day, name, "by the calendar")

    def number(self, event: str, turn: int) -> int:
        """The first game of a round that was won by White."""
        sql = (
            "select min(game.id) from game join event on event.id = game.event "
            "where name = ? and round = ? and score = 1"
        )
        return int(self.office.store.value(sql, (event, turn)))


def build(place: str) -> None:
    """The whole year, step by step."""
    clock = Clock()
    with (
        mock.patch.object(chain, "datetime", clock),
        init(place, "fide/standard", name="standard", base=SEASON) as office,
        tempfile.TemporaryDirectory() as folder,
    ):
        season = Season(office, Path(folder))
        happens = dict(happenings(season))

        def until(day: date) -> None:
            for each in [each for each in happens if each <= day]:
                clock.reach(each)
                happens.pop(each)()

        for plan in plans():
            until(plan.start)
            clock.reach(plan.day(plan.rounds))
            season.play(plan)
        until(date.max)
        football(office)
        club(season, clock)


def happenings(season: Season) -> Iterator[tuple[date, Callable[[], object]]]:
    """What happens beside the events, by day."""
    office, persons = season.office, season.persons

    def adjusted(place: int, day: date, rating: float, why: str) -> None:
        add_acts(office, [Act("adjustment", str(persons[place]), day.toordinal(), rating, reason=why)], reason=why)

    def january() -> None:
        season.publish(date(2025, 1, 1))
        describe(office, persons[36], federation="SUI", since=date(2025, 1, 1), reason="moved to another federation")
        show(office, persons[37], {"name": "members"}, "asked not to be shown")

    def february() -> None:
        won = season.number("Masters of the Upper Lake", 3)
        correct(office, [Change("game", won, {"score": 0.5, "other": 0.5})], "the score sheets say a draw")
        season.publish(date(2025, 3, 1))

    def spring() -> None:
        tell(office, [Told(persons[11], "title", date(2025, 4, 1).toordinal(), "FM")], "title confirmed")
        adjusted(39, date(2025, 4, 2), -12.0, "an entry of 2019 was counted twice")
        twice(season)

    def may() -> None:
        season.publish(date(2025, 5, 1))
        describe(office, persons[57], federation="GER", since=date(2025, 5, 1), reason="moved to another federation")
        won = season.number("Easter Congress", 2)
        done = correct(office, [Change("game", won, {"score": 0.0, "other": 1.0})], "the loser sent a score sheet")
        revert(office, done.seq, "the score sheet was of another game")

    def summer() -> None:
        season.publish(date(2025, 7, 1))
        adjusted(5, date(2025, 7, 2), 8.0, "a result of a league match was found")

    def autumn() -> None:
        season.publish(date(2025, 9, 1))
        erase(office, persons[54], "asked to be removed")

    def november() -> None:
        season.publish(date(2025, 11, 1))
        won = season.number("Three Lakes Open 2025", 4)
        correct(office, [Change("game", won, {"score": 0.5, "other": 0.5})], "the arbiter's letter: it was a draw")

    yield date(2025, 1, 2), january
    yield date(2025, 3, 1), february
    yield date(2025, 4, 10), spring
    yield date(2025, 5, 1), may
    yield date(2025, 7, 1), summer
    yield date(2025, 9, 1), autumn
    yield date(2025, 11, 1), november
    yield date(2025, 11, 20), lambda: held(season)


def twice(season: Season) -> None:
    """A junior without a number in a school match was entered as somebody new, and is who was there already."""
    path = season.folder / "school-match.csv"
    path.write_text(
        "event,round,date,white,black,result\n"
        'School Match Orvenna,1,2025-04-05,"Pfiffiger, Aenneli","Tschaerner, Flurin",0-1\n'
        'School Match Orvenna,2,2025-04-06,"Tschaerner, Flurin","Pfiffiger, Aenneli",1/2-1/2\n',
        encoding="utf-8",
    )
    aenneli, flurin = "Pfiffiger, Aenneli", "Tschaerner, Flurin"
    decisions = Decisions({aenneli: 0, flurin: season.persons[32]})
    done = receive(season.office, str(path), decisions)
    assert done.accepted, done.holds
    new = season.office.store.value("select max(id) from person")
    merge(season.office, season.persons[41], int(new), "one person, entered twice for want of a number")


def held(season: Season) -> None:
    """A report with a slip of the pen, a stranger, and somebody whose number is another's: it waits for the officer."""
    plan = Plan("St Martin's Cup", "Orvenna", "SUI", date(2025, 11, 8), range(22, 30), 5)
    rounds = played(plan, season.strengths, season.chance)
    text = season.written(plan, rounds).decode()
    slips = {
        season.members[23].number: season.members[32].number,
        season.members[24].number: "99900188",
        "Höllrigler, Xaver": "Höllriegel, Xaver",
        "  4 b 0": "  4 b 1",
    }
    for right, wrong in slips.items():
        assert right in text, right
        text = text.replace(right, wrong, 1)
    path = season.folder / "st-martins-cup.trf"
    path.write_text(text, encoding="utf-8", newline="")
    done = stage(season.office, str(path))
    assert len(done.holds) >= 3, done.holds


def football(office: Office) -> None:
    """Five leagues on a list of their own: 6,508 real matches, which are in the public domain."""
    add_list(office, "elo:football", name="football", pool="football")
    done = receive(office, str(FOOTBALL), Decisions(register=True, pool="football"), reason="OpenFootball")
    assert done.accepted, done.holds
    for year in range(2014, 2018):
        lists.publish(office, date(year, 7, 1), "football", "the season is over")


def club(season: Season, clock: Clock) -> None:
    """A ladder of six members, who report their matches themselves: one waits for an answer, one is disputed."""
    office, people = season.office, [season.persons[place] for place in (3, 5, 9, 11, 17, 21)]
    add_list(office, "elo", name="club", base=date(2025, 10, 1), pool="club")
    ladder_rows.open_ladder(office, "club", ladder_rows.Rules(hours=None))
    pairs = [(one, other) for one in people for other in people if one < other]
    for turn, (one, other) in enumerate(pairs):
        day = date(2025, 11, 21) + timedelta(turn % 9)
        clock.reach(day)
        players = [ladder_rows.Who("player", each) for each in (one, other)]
        score = season.chance.choice((1.0, 1.0, 0.5, 0.0))
        match = ladder.report(office, "club", one, other, score, day, players[0], now=clock.now(UTC))
        if turn == 4:
            ladder.dispute(office, match.id, players[1], "we agreed to a draw at move 31")
        elif turn != 8:
            ladder.confirm(office, match.id, players[1], now=clock.now(UTC))
    clock.reach(date(2025, 12, 1))
    lists.publish(office, date(2025, 12, 1), "club", "by the calendar")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FILE")
    build(sys.argv[1])
