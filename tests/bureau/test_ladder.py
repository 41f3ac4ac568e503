"""Ladders: matches that players report, confirm and dispute, and what becomes of them; seasons of a list."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from arpad.bureau import ladder as domain
from arpad.bureau.bundles import export
from arpad.bureau.cards import player
from arpad.bureau.corrections import Change, correct, revert
from arpad.bureau.erasing import erase
from arpad.bureau.keeping import backup, restore, verify
from arpad.bureau.ladder import confirm, dispute, report, settle, tick, withdraw
from arpad.bureau.ladder_rows import (
    COUNTED,
    GONE,
    LadderMatch,
    Rules,
    Who,
    close_ladder,
    ladder,
    matches,
    open_ladder,
    read,
)
from arpad.bureau.ladder_rows import match as match_of
from arpad.bureau.lists import published
from arpad.bureau.opened import Office, init, open_office, replayed
from arpad.bureau.people import merge
from arpad.bureau.register import enrol
from arpad.bureau.seasons import Keep, Pull, Reset, season, seasons
from arpad.bureau.stakes import stake
from arpad.errors import Busy, DataError, NotAllowed, UnknownName, UsageError
from arpad.model import Start

NOON = datetime(2025, 5, 1, 12, tzinfo=UTC)
DAY = NOON.date()
ANNA, BRUNO, CARLA = (Who("player", person, 100 + person) for person in (1, 2, 3))
REPORTER, OFFICER = Who("reporter", 0, 200), Who("officer", 0, 300)


def club(place: str, rules: str = "elo", people: int = 4) -> Office:
    office = init(place, rules, name="club", base=date(2025, 1, 1))
    enrol(office, [Start(f"Player {chr(65 + at)}", 1400.0 + 70 * at, 20) for at in range(people)])
    open_ladder(office, "club", Rules(hours=48))
    return office


@pytest.fixture
def office() -> Iterator[Office]:
    with club(":memory:") as office:
        yield office


def said(office: Office, score: float = 1.0, who: Who = ANNA, **more: Any) -> LadderMatch:
    """Anna against Bruno, at noon."""
    return report(office, "club", 1, 2, score, more.pop("day", DAY), who, now=more.pop("now", NOON), **more)


def games(office: Office) -> int:
    return int(office.store.value("select count(*) from game"))


def bits(office: Office) -> bytes:
    """Every number of the list's replay."""
    return bytes(memoryview(replayed(office.store, office.which(), office.book(office.which())).state).cast("B"))


def test_a_match_counts_when_the_other_player_confirms_it_and_its_card_shows_it(office: Office) -> None:
    match = said(office)
    assert (match.state, match.due, games(office)) == ("reported", "2025-05-03T12:00:00+00:00", 0)
    with pytest.raises(NotAllowed, match="by the other player"):
        confirm(office, match.id, ANNA)
    with pytest.raises(NotAllowed, match="by its players"):
        confirm(office, match.id, CARLA)
    done = confirm(office, match.id, BRUNO, now=NOON)
    assert (done.state, done.final, done.game, games(office)) == ("confirmed", 1.0, 1, 1)
    assert confirm(office, match.id, BRUNO) == done
    assert games(office) == 1
    (line,) = player(office, 1).lists[0].lines
    assert (line.event_name, line.score, line.opponent) == ("club: match 1", 1.0, 2)
    assert verify(office) == []


@pytest.mark.parametrize("rules", ["elo", "fide/standard", "glicko2"])
def test_what_is_at_stake_is_what_then_happens(rules: str) -> None:
    with club(":memory:", rules) as office:
        for score in (1.0, 0.5, 0.0):
            before, head = bits(office), office.head
            shown = stake(office, "club", 1, 2, DAY, now=NOON)
            assert (bits(office), office.head, matches(office, states=["reported"])) == (before, head, [])
            number = 1 + games(office)
            confirm(office, said(office, score, number=number).id, BRUNO)
            (told,) = (each for each in shown.outcomes if each.score == score)
            history = office.history(office.which())
            assert (told.first, told.second) == (history.rating("1"), history.rating("2"))
            assert told.first_change == history.rating("1") - shown.first_before  # type: ignore[operator]


def test_a_report_said_twice_is_one_match_and_one_of_both_players_is_confirmed(office: Office) -> None:
    match = said(office)
    assert said(office, now=NOON + timedelta(seconds=1)) == match
    assert report(office, "club", 2, 1, 0.0, DAY, ANNA, now=NOON) == match
    both = report(office, "club", 2, 1, 0.0, DAY, BRUNO, now=NOON)
    assert (both.id, both.state) == (match.id, "confirmed")
    assert said(office).state == said(office, who=BRUNO).state == "confirmed"
    assert games(office) == 1
    assert said(office, number=2).id == 2


def test_reports_that_contradict_are_disputed_and_an_officer_settles_them(office: Office) -> None:
    match = said(office)
    with pytest.raises(UsageError, match="withdraw that report first"):
        said(office, 0.5)
    other = said(office, 0.0, BRUNO, note="I won")
    assert (other.id, other.state, other.said, other.dispute) == (match.id, "disputed", 0.0, "I won")
    for who in (ANNA, BRUNO):
        with pytest.raises((UsageError, NotAllowed)):
            confirm(office, match.id, who)
        with pytest.raises(NotAllowed, match="only officers"):
            settle(office, match.id, 1.0, who)
    assert tick(office, NOON + timedelta(days=30)) == []
    done = settle(office, match.id, 0.5, OFFICER, "both wrote it down")
    assert (done.state, done.final, games(office)) == ("settled", 0.5, 1)
    assert settle(office, match.id, 0.5, OFFICER) == done
    with pytest.raises(UsageError, match="game 1 is wrong"):
        settle(office, match.id, 0.0, OFFICER)
    with pytest.raises(UsageError, match="another result"):
        said(office, 1.0)


def test_a_disputed_match_can_be_dropped_and_reported_anew(office: Office) -> None:
    match = said(office)
    with pytest.raises(UsageError, match="say what is not right"):
        dispute(office, match.id, BRUNO, "  ")
    assert dispute(office, match.id, BRUNO, "we never played").dispute == "we never played"
    assert settle(office, match.id, None, OFFICER).state == "dropped"
    assert games(office) == 0
    assert said(office).id == 2


def test_a_match_confirms_itself_at_the_hour_and_not_a_second_before(office: Office) -> None:
    match = said(office)
    hour = NOON + timedelta(hours=48)
    assert tick(office, hour - timedelta(seconds=1)) == []
    (done,) = tick(office, hour)
    assert (done.id, done.state, done.decider, done.game) == (match.id, "confirmed", "ladder", 1)
    assert tick(office, hour + timedelta(days=9)) == []
    assert office.actor == "officer"
    open_ladder(office, "club", Rules(hours=None))
    said(office, number=2)
    assert tick(office, NOON + timedelta(days=900)) == []


def test_a_report_is_withdrawn_by_who_made_it_before_it_counts(office: Office) -> None:
    match = said(office)
    with pytest.raises(NotAllowed):
        withdraw(office, match.id, BRUNO)
    assert withdraw(office, match.id, ANNA).state == "withdrawn"
    assert withdraw(office, match.id, ANNA).state == "withdrawn"
    with pytest.raises(UsageError, match="is withdrawn"):
        confirm(office, match.id, BRUNO)
    again = confirm(office, said(office).id, BRUNO)
    with pytest.raises(UsageError, match="is confirmed"):
        withdraw(office, again.id, ANNA)
    with pytest.raises(UsageError, match="is confirmed"):
        dispute(office, again.id, BRUNO, "no")


def test_who_may_report_is_for_the_office_to_say(office: Office) -> None:
    for who in (CARLA, REPORTER, Who("player")):
        with pytest.raises(NotAllowed):
            said(office, who=who)
    open_ladder(office, "club", Rules("reporters", draws=False))
    match = said(office, who=REPORTER)
    assert match.reporter == 0
    with pytest.raises(NotAllowed):
        confirm(office, match.id, REPORTER)
    assert confirm(office, match.id, ANNA).state == "confirmed"
    with pytest.raises(DataError, match="no draws"):
        said(office, 0.5, number=2)
    assert len(stake(office, "club", 1, 2, DAY, now=NOON).outcomes) == 2


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2024, 12, 31), "where ratings begin"),
        (date(2025, 5, 3), "a day to come"),
    ],
)
def test_matches_of_days_that_cannot_be_are_refused(office: Office, day: date, words: str) -> None:
    with pytest.raises(DataError, match=words):
        said(office, day=day)
    assert said(office, day=date(2025, 5, 2)).day == date(2025, 5, 2), "it is that day already where days begin first"


def test_a_match_that_cannot_be_is_refused_whole(office: Office) -> None:
    with pytest.raises(DataError, match="against themselves"):
        report(office, "club", 1, 1, 1.0, DAY, ANNA, now=NOON)
    with pytest.raises(DataError, match="1-0, 0-1"):
        said(office, 0.25)
    with pytest.raises(DataError, match="1 to 20"):
        said(office, number=21)
    with pytest.raises(DataError, match="500 letters"):
        said(office, note="x" * 501)
    with pytest.raises(UnknownName, match="person"):
        report(office, "club", 1, 99, 1.0, DAY, ANNA, now=NOON)
    with pytest.raises(UsageError, match="hours"):
        open_ladder(office, "club", Rules(hours=0))


def test_a_closed_list_takes_no_reports_and_ends_what_it_has(office: Office) -> None:
    match = said(office)
    assert not close_ladder(office, "club").open
    for who in (ANNA, OFFICER):
        with pytest.raises(UsageError, match="no reports"):
            said(office, who=who, number=2)
    assert confirm(office, match.id, BRUNO).state == "confirmed"
    with init(":memory:", "elo") as other, pytest.raises(UnknownName, match="ladder"):
        ladder(other)


def test_matches_of_people_who_were_merged_are_those_of_who_they_are_now(office: Office) -> None:
    match, own = said(office), report(office, "club", 2, 4, 1.0, DAY, BRUNO, now=NOON)
    merge(office, 3, 2, "one person, registered twice")
    assert match_of(office, match.id).players == (1, 3)
    assert confirm(office, match.id, CARLA).final == 1.0
    assert len(player(office, 3).lists[0].lines) == 1
    merge(office, 4, 3, "and so is this one")
    (done,) = tick(office, NOON + timedelta(days=3))
    assert (done.id, done.state) == (own.id, "disputed")
    assert "one person" in done.dispute
    assert settle(office, own.id, None, OFFICER).state == "dropped"
    assert verify(office) == []


def test_a_report_reads_no_matches_of_others_on_that_day(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(1, 9):
        report(office, "club", 2, 3, 1.0, DAY, BRUNO, number=number, now=NOON)
    first, rows = said(office), []
    monkeypatch.setattr(domain, "read", lambda row: rows.append(row) or read(row))
    assert said(office).id == first.id
    assert [row[0] for row in rows] == [first.id]


def test_what_was_reported_by_a_number_of_before_is_the_same_match_said_by_the_one_of_now(office: Office) -> None:
    match = said(office)
    merge(office, 3, 2, "one person, registered twice")
    assert report(office, "club", 3, 1, 0.0, DAY, CARLA, now=NOON).id == match.id
    assert match_of(office, match.id).state == "confirmed"


def test_what_is_due_is_confirmed_in_portions(office: Office) -> None:
    made = [said(office, number=number).id for number in range(1, 6)]
    late = NOON + timedelta(hours=48)
    assert [[each.id for each in tick(office, late, 2)] for _ in range(4)] == [made[:2], made[2:4], made[4:], []]


def test_of_an_erased_person_no_note_is_left_and_the_match_still_counts(office: Office) -> None:
    match = said(office, note="Player A gave me a lift")
    other = report(office, "club", 3, 4, 1.0, DAY, CARLA, note="ask Player A", now=NOON)
    erase(office, 1, "asked to be removed")
    assert match_of(office, match.id).note == ""
    assert "Player A" not in match_of(office, other.id).note
    assert confirm(office, match.id, BRUNO).state == "confirmed"
    assert verify(office) == []


def test_a_game_that_is_wrong_is_corrected_like_any_other(office: Office) -> None:
    before = bits(office)
    done = confirm(office, said(office).id, BRUNO)
    correct(office, [Change("game", done.game, {"voided": 1})], "it was a training game")
    assert bits(office) == before


def test_backups_have_the_ladder_and_bundles_have_not(place: str, tmp_path: Any) -> None:
    with club(place) as office:
        said(office, note="a note that stays here")
        season(office, "club", DAY, Keep(), "spring")
        backup(office, str(tmp_path / "backup.db"))
        export(office, str(tmp_path / "bundle.zip"))
    with restore(str(tmp_path / "backup.db"), str(tmp_path / "again.db")) as again:
        assert [each.note for each in matches(again, "club")] == ["a note that stays here"]
        assert [each.name for each in seasons(again)] == ["spring"]
        assert ladder(again, "club").open
    assert b"a note that stays" not in (tmp_path / "bundle.zip").read_bytes()


@pytest.mark.parametrize("rules", ["elo", "fide/standard", "glicko2"])
@pytest.mark.parametrize("way", [Reset(1500.0), Pull(0.5), Pull(1.0, 1600.0, "down"), Keep()])
def test_a_season_is_what_was_previewed_and_is_taken_back_to_the_last_digit(rules: str, way: Any) -> None:
    with club(":memory:", rules) as office:
        confirm(office, said(office).id, BRUNO)
        confirm(
            office, report(office, "club", 3, 4, 1.0, date(2025, 5, 20), CARLA, now=NOON + timedelta(30)).id, OFFICER
        )
        before, head = bits(office), office.head
        first = date(2025, 6, 1)
        shown = season(office, "club", first, way, "summer", keep_list=True, preview=True)
        assert (bits(office), office.head, seasons(office)) == (before, head, [])
        done = season(office, "club", first, way, "summer", keep_list=True)
        assert (done.changes, done.mean) == (shown.changes, shown.mean)
        history = office.history(office.which())
        assert {each.person: each.after for each in done.changes} == {
            int(person): history.rating(person) for person in history.players
        }
        with pytest.raises(UsageError, match="already"):
            season(office, "club", first, way)
        assert published(office, first, "club").content
        if isinstance(way, Keep):
            assert bits(office) == before
            return
        if isinstance(way, Reset):
            assert {each.after for each in done.changes} == {1500.0}
        preview = revert(office, done.entry, preview=True)
        back = revert(office, done.entry, "the assembly decided otherwise")
        assert preview.effect == back.effect
        assert bits(office) == before
        assert [each.taken_back for each in seasons(office)] == [True]
        revert(office, back.seq, "and once more")
        assert {each.after for each in done.changes} == {
            office.history(office.which()).rating(str(each.person)) for each in done.changes
        }
        assert verify(office) == []


def test_a_pull_moves_everybody_towards_the_mean_by_whole_points(office: Office) -> None:
    done = season(office, "club", DAY, Pull(0.5), preview=True)
    assert done.mean == 1505.0
    assert {each.person: each.after for each in done.changes} == {1: 1453.0, 2: 1488.0, 3: 1522.0, 4: 1557.0}


def test_a_season_in_which_everybody_keeps_their_rating_gives_way_to_another_one(office: Office) -> None:
    confirm(office, said(office).id, BRUNO)
    season(office, "club", date(2025, 6, 1), Keep(), "spring")
    season(office, "club", date(2025, 6, 1), Reset(1500.0), "summer")
    assert [(each.name, each.taken_back) for each in seasons(office)] == [("summer", False)]
    with pytest.raises(UsageError, match="already"):
        season(office, "club", date(2025, 6, 1), Reset(1400.0))


def test_seasons_that_cannot_be_are_refused(office: Office) -> None:
    for way, words in (
        (Pull(0.0), "share"),
        (Pull(1.5), "share"),
        (Pull(float("nan")), "share"),
        (Pull(0.5, rounding="up"), "rounding"),  # type: ignore[arg-type]
        (Reset(float("inf")), "rating"),
        (Reset(-100_001.0), "out of range"),
        (Pull(0.5, 1e9), "out of range"),
    ):
        with pytest.raises(UsageError, match=words):
            season(office, "club", DAY, way)
    with pytest.raises(UsageError, match="where ratings begin"):
        season(office, "club", date(2024, 1, 1), Keep())


PEOPLE, WORKERS, MATCHES = 8, 8, 12


def planned() -> list[tuple[int, int, float, date]]:
    random_ = random.Random(7)
    found: dict[tuple[int, ...], tuple[int, int, float, date]] = {}
    while len(found) < MATCHES:
        one, other = random_.sample(range(1, PEOPLE + 1), 2)
        day = DAY - timedelta(days=random_.randrange(60))
        found[*sorted((one, other)), day.toordinal()] = one, other, random_.choice([0.0, 0.5, 1.0]), day
    return list(found.values())


def take_part(place: str, seed: int) -> None:
    """Everybody says everything twice, in an order of their own, and answers what they find; now and then otherwise."""
    random_ = random.Random(seed)
    told = planned() * 2
    random_.shuffle(told)
    with open_office(place, patience=2) as office:

        def until_done(act: Any, *args: Any, **named: Any) -> Any:
            while True:
                try:
                    return act(office, *args, **named)
                except Busy:
                    continue
                except UsageError:  # somebody was quicker, or it is not for them
                    return None

        for one, other, score, day in told:
            who = Who("player", random_.choice([one, other]), 0)
            if random_.random() < 0.15:
                score = 1.0 - score
            match = until_done(report, "club", one, other, score, day, who, now=NOON)
            if match is None:
                continue
            if random_.random() < 0.5:
                answer = Who("player", match.players[0] if match.reporter == match.players[1] else match.players[1], 0)
                if random_.random() < 0.8:
                    until_done(confirm, match.id, answer, now=NOON)
                else:
                    until_done(dispute, match.id, answer, "no")
            if random_.random() < 0.2:
                until_done(settle, match.id, random_.choice([0.0, 1.0, None]), OFFICER)
            if random_.random() < 0.1:
                until_done(tick, now=NOON + timedelta(hours=48))


def test_what_many_report_confirm_and_dispute_at_once_counts_once_each(place: str) -> None:
    with club(place, people=PEOPLE):
        pass
    with ThreadPoolExecutor(WORKERS) as workers:
        for done in [workers.submit(take_part, place, seed) for seed in range(WORKERS)]:
            done.result()
    with open_office(place) as office:
        with suppress(Busy):
            tick(office, NOON + timedelta(hours=48))
        found = matches(office, "club")
        counted = [each for each in found if each.state in COUNTED]
        assert counted
        held = office.store.rows("select id, first, score, day from game where voided = 0 order by id")
        assert sorted((each.game, each.first, each.final, each.day.toordinal()) for each in counted) == held
        pairs = [(*sorted(each.players), each.day) for each in found if each.state not in GONE]
        assert len(pairs) == len({*pairs})
        assert not [each for each in found if each.state in ("reported", "disputed") and each.game]
        assert verify(office) == []
