"""What a rulebook's author is told: every fault of a file at once, by file, edition and key."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from arpad.errors import RulebookError, UnknownName, UsageError
from arpad.rulebooks import load, names, presets

TOP = """
organisation = "A club"
game = "chess"
system = "elo"
cadence = "monthly"
title = { en = "Club" }
"""
FIRST = """
[[edition]]
from = 2020-01-01
curve = { shape = "logistic" }
[[edition.k]]
when = { rating_below = 2000 }
value = 30
[[edition.k]]
value = 20
"""


def write(folder: Path, *parts: str) -> Path:
    path = folder / "club.toml"
    path.write_text("\n".join(parts), encoding="utf-8")
    return path


def problems(folder: Path, *parts: str) -> list[str]:
    path = write(folder, *parts)
    with pytest.raises(RulebookError) as caught:
        load(path)
    return [line.removeprefix(f"{path}: ") for line in str(caught.value).splitlines()]


def test_a_club_can_write_one(tmp_path: Path) -> None:
    book = load(write(tmp_path, TOP, FIRST))
    assert book.name.endswith("club")
    assert [row.value for row in book.on(date(2024, 1, 1)).k] == [30, 20]


def test_a_condition_that_does_not_exist_is_named_with_edition_row_and_suggestion(tmp_path: Path) -> None:
    later = """
    [[edition]]
    from = 2025-01-01
    [[edition.k]]
    value = 25
    when = { rating_from = 1 }
    [[edition.k]]
    value = 25
    when = { ratng_below = 1 }
    [[edition.k]]
    value = 20
    """
    assert problems(tmp_path, TOP, FIRST, later) == [
        "edition from 2025-01-01: k[2].when: unknown condition 'ratng_below' (did you mean rating_below?)"
    ]


def test_a_typo_in_a_key_is_named_with_the_key_that_was_meant(tmp_path: Path) -> None:
    text = FIRST.replace("value = 30", "valeu = 30").replace('shape = "logistic"', 'shape = "logistic", scael = 1')
    assert problems(tmp_path, TOP, text) == [
        "edition from 2020-01-01: curve.scael: unknown key (did you mean scale?)",
        "edition from 2020-01-01: k[1].valeu: unknown key (did you mean value?)",
        "edition from 2020-01-01: k[1]: exactly one of value, ramp, power, fall, bend, of must be given",
    ]


def test_all_problems_of_a_file_come_in_one_pass(tmp_path: Path) -> None:
    later = """
    [[edition]]
    from = 2019-01-01
    unit = { of = "fortnight" }
    florr = { value = 100 }
    [[edition.k]]
    value = "many"
    """
    found = problems(tmp_path, TOP.replace("cadence", "cadense"), FIRST) + problems(tmp_path, TOP, FIRST, later)
    assert found == [
        "cadense: unknown key (did you mean cadence?)",
        "edition from 2019-01-01: from: must be after the edition before it, which is from 2020-01-01",
        "edition from 2019-01-01: unit.of: 'fortnight' is no unit; game, contest, event, or period: with day, week, "
        "month, quarter, half-year, year, 30-days, or days of the year such as 01-01,07-01",
        "edition from 2019-01-01: florr: unknown clause (did you mean floor?)",
        "edition from 2019-01-01: k[1].value: a number was expected, not text",
    ]


def test_a_decision_table_ends_with_a_row_without_condition(tmp_path: Path) -> None:
    assert problems(tmp_path, TOP, FIRST, "when = { games_below = 3 }") == [
        "edition from 2020-01-01: k[2].when: the last row must have no condition, so that every case is decided"
    ]


def test_no_row_stands_below_one_without_condition(tmp_path: Path) -> None:
    assert problems(tmp_path, TOP, FIRST.replace("when = { rating_below = 2000 }", "")) == [
        "edition from 2020-01-01: k[1]: a row without a condition must be the last: the rows below it are never reached"
    ]


@pytest.mark.parametrize("day", ["2020-01-01", "2019-12-31"])
def test_editions_ascend_and_no_two_share_a_day(tmp_path: Path, day: str) -> None:
    (problem,) = problems(tmp_path, TOP, FIRST, f"[[edition]]\nfrom = {day}")
    assert problem.startswith(f"edition from {day}: from: must be after")


def test_only_the_first_edition_may_be_without_a_date(tmp_path: Path) -> None:
    assert load(write(tmp_path, TOP, FIRST.replace("from = 2020-01-01", ""))).on(date(1900, 1, 1)).since is None
    assert problems(tmp_path, TOP, FIRST, "[[edition]]\nname = 'x'") == [
        "edition 2: from: only the first edition may be without a date"
    ]


def test_the_first_edition_is_complete(tmp_path: Path) -> None:
    assert problems(tmp_path, TOP, "[[edition]]\ncurve = { shape = 'logistic' }") == [
        "edition 1: k: the first edition must have it"
    ]


def test_toml_that_does_not_parse_is_reported_with_its_line(tmp_path: Path) -> None:
    path = write(tmp_path, 'organisation = "A"', "game = = 1")
    with pytest.raises(RulebookError, match=r"club\.toml: line 2, column 8: invalid value"):
        load(path)


def test_a_later_edition_states_only_what_it_amends(tmp_path: Path) -> None:
    first = FIRST.replace('"logistic"', '"logistic", scale = 480')
    later = """
    [[edition]]
    from = 2021-01-01
    floor = { value = 1000 }
    curve = { base = 9 }
    [[edition]]
    from = 2022-01-01
    floor = "none"
    [[edition.k]]
    value = 10
    """
    book = load(write(tmp_path, TOP, first, later))
    before, middle, last = book.editions
    assert (middle.curve.scale, middle.curve.base) == (480, 9)  # a key overrides, the others stay
    assert middle.k is before.k
    assert middle.floor is not None
    assert middle.floor.value == 1000
    assert last.floor is None  # "none" removes
    assert [row.value for row in last.k] == [10]  # a restated table replaces the whole table
    assert last.curve is middle.curve
    assert book.origins[2]["curve.base"] == "2021-01-01"
    assert book.origins[2]["curve.scale"] == "2020-01-01"
    assert book.origins[2]["k"] == "2022-01-01"
    assert "floor" not in book.origins[2]


def test_what_every_edition_needs_cannot_be_removed(tmp_path: Path) -> None:
    assert problems(tmp_path, TOP, FIRST, "[[edition]]\nfrom = 2021-01-01\nk = 'none'") == [
        "edition from 2021-01-01: k: cannot be removed"
    ]


def test_days_before_the_first_edition_have_none(tmp_path: Path) -> None:
    book = load(write(tmp_path, TOP, FIRST))
    with pytest.raises(UsageError, match="begins on 2020-01-01; it has no edition for 2019-12-31"):
        book.on(date(2019, 12, 31))
    assert book.on(date(2020, 1, 1)) is book.on(None)


def test_inf_is_a_number(tmp_path: Path) -> None:
    book = load(write(tmp_path, TOP, FIRST, "[[edition.cap]]\nvalue = inf"))
    assert book.editions[0].cap[0].value == float("inf")
    assert len(book.digest) == 64


PARAMETERS = """
[parameters.k]
default = 30
least = 1
most = 60
[parameters.floor]
default = "none"
choices = ["none"]
least = 0
[parameters.kind]
default = "clamp"
choices = ["clamp", "delist"]
[parameters.shield]
default = false
"""
PARAMETERISED = (
    FIRST.replace("value = 30", 'value = "$k"')
    + """
[edition.floor]
value = "$floor"
kind = "$kind"
[edition.knockout]
protected = "$shield"
"""
)


def test_parameters_take_numbers_choices_and_switches_also_as_text(tmp_path: Path) -> None:
    path = write(tmp_path, TOP, PARAMETERS, PARAMETERISED)
    plain = load(path)
    assert (plain.editions[0].k[0].value, plain.editions[0].floor) == (30, None)
    book = load(path, {"k": "24", "floor": 100, "kind": "delist", "shield": "true"})
    edition = book.editions[0]
    assert edition.k[0].value == 24
    assert edition.floor is not None
    assert (edition.floor.value, edition.floor.kind) == (100, "delist")
    assert edition.knockout is not None
    assert edition.knockout.protected
    assert book.settings == {"k": 24, "floor": 100, "kind": "delist", "shield": True}
    assert book.digest != plain.digest


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"k": 61}, "parameter k: 61 is not a number from 1 to 60"),
        ({"k": "nan"}, "parameter k: 'nan' is not a number from 1 to 60"),
        ({"k": True}, "parameter k: True is not a number"),
        ({"floor": "low"}, "parameter floor: 'low' is not none or a number from 0"),
        ({"kind": "soft"}, "parameter kind: 'soft' is not clamp or delist"),
        ({"shield": "maybe"}, "parameter shield: 'maybe' is not true or false"),
    ],
)
def test_a_value_that_is_not_accepted_names_the_parameter(
    tmp_path: Path, setting: dict[str, str | float], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        load(write(tmp_path, TOP, PARAMETERS, PARAMETERISED), setting)


def test_an_unknown_parameter_says_which_there_are() -> None:
    with pytest.raises(UnknownName, match="unknown parameter 'kk'; did you mean k"):
        load("elo", {"kk": 3})


def test_a_parameter_nobody_uses_and_one_nobody_declared_are_errors(tmp_path: Path) -> None:
    text = PARAMETERISED.replace("$floor", "$flor")
    assert problems(tmp_path, TOP, PARAMETERS, text) == [
        "parameters.floor: no clause uses it",
        "edition from 2020-01-01: floor.value: no parameter 'flor' is declared (did you mean floor?)",
    ]


def test_a_default_must_be_acceptable_itself(tmp_path: Path) -> None:
    assert problems(tmp_path, TOP, PARAMETERS.replace("most = 60", "most = 20\ncolour = 1"), PARAMETERISED) == [
        "parameters.k.colour: unknown key",
        "parameters.k.default: 30.0 is not a number from 1 to 20",
    ]


def test_a_preset_is_settings_and_an_amendment(tmp_path: Path) -> None:
    preset = """
    [preset.slow]
    settings = { kind = "delist", floor = 5 }
    [[preset.slow.amend.k]]
    value = 8
    """
    path = write(tmp_path, TOP, PARAMETERS, preset, PARAMETERISED)
    book = load(f"{path}:slow")
    assert [row.value for row in book.editions[0].k] == [8]
    assert book.editions[0].floor is not None
    assert book.editions[0].floor.kind == "delist"
    assert book.origins[0]["k"] == "preset slow"
    assert "k" not in book.settings
    with pytest.raises(UsageError, match="does not use the parameter 'k' in preset slow"):
        load(f"{path}:slow", {"k": 10})
    with pytest.raises(UnknownName, match="unknown preset 'fast'; known: slow"):
        load(f"{path}:fast")


def test_a_rulebook_that_does_not_exist() -> None:
    with pytest.raises(UnknownName, match="unknown rulebook 'fide/standart'; did you mean fide/standard"):
        load("fide/standart")
    with pytest.raises(UnknownName):
        load("../secret")
    with pytest.raises(UsageError, match=r"there is no file nowhere/club\.toml"):
        load("nowhere/club.toml")


TABLE = '[[edition]]\ncurve = { shape = "table", file = "t.csv" }\n[[edition.k]]\nvalue = 20\n'


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("low,high,H,L\n0,3,.50,.50\n4,,.51,.49", "line 2: H and L are numbers between 0 and 1, not '.50' and '.50'"),
        ("low,high,H,L\n0,3,0.50,0.50\n5,,0.51,0.49", "line 3: low is 5, expected 4"),
        ("low,high,H,L\n0,3,0.50,0.50\n4,,0.51,0.50", "line 3: H + L is not 1"),
        ("low,high,H,L\n0,3,0.50,0.50\n4,9,0.51,0.49", "line 3: the last row must be open: its high is blank"),
        ("low,high,H,L\n0,,0.50,0.50\n4,,0.51,0.49", "line 2: high is blank"),
        ("low,high,H,L\n0,3,0.50", "line 2: 3 cells, 4 columns"),
        ("low,high,H\n0,,0.50", "column L is missing"),
        ("low,high,H,L\n0,3,0.60,0.40\n4,,0.55,0.45", "line 3: H is 0.55, and may not be below 0.6"),
        ("low,high,H,L\n0,3,0.40,0.60\n4,,0.51,0.49", "line 2: H is 0.40, and may not be below 0.5"),
        ("low,high,H,L\n0,99999999999,0.50,0.50\n100000000000,,0.51,0.49", "line 2: high is '99999999999', a whole"),
    ],
)
def test_a_table_that_is_not_as_printed(tmp_path: Path, rows: str, message: str) -> None:
    (tmp_path / "t.csv").write_text(rows, encoding="utf-8")
    assert any(message in problem for problem in problems(tmp_path, TOP, TABLE))


def test_a_table_beside_the_file_or_from_the_shelf(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("low,high,H,L\n0,3,0.50,0.50\n4,,0.51,0.49\n", encoding="utf-8")
    assert len(load(write(tmp_path, TOP, TABLE)).tables["t.csv"]) == 2
    assert len(load(write(tmp_path, TOP, TABLE.replace("t.csv", "fide/8.1.2.csv"))).tables["fide/8.1.2.csv"]) == 51
    assert problems(tmp_path, TOP, TABLE.replace("t.csv", "u.csv")) == [
        "edition 1: curve.file: there is no file u.csv beside the rulebook"
    ]


def test_names_and_presets_of_the_shelf() -> None:
    assert {"elo", "elo/normal", "asigc", "fide/standard", "fifa/men", "fivethirtyeight/nfl"} <= set(names())
    assert set(presets("elo")) == {"32/16", "40/20/10", "football"}
    assert [row.value for row in load("elo:32/16").editions[0].k] == [32, 16]
    margin = load("elo:football").editions[0].margin
    assert margin is not None
    assert margin.points == [1, 1.5, 1.75]
    assert load("elo").editions[0].margin is None


def like(name: str = "fide/rapid") -> str:
    return f'like = "{name}"\n{TOP}'


def test_a_file_like_another_takes_its_editions_and_amends_them_by_day(tmp_path: Path) -> None:
    rapid = load("fide/rapid")
    own = """
    [[edition]]
    from = 2024-03-01
    name = "ours"
    floor = { value = 1300 }
    [[edition]]
    from = 2025-01-01
    gap = "none"
    """
    book = load(write(tmp_path, like(), own))
    assert [edition.since for edition in book.editions] == sorted(
        [edition.since for edition in rapid.editions] + [date(2025, 1, 1)], key=str
    )
    before, amended = book.on(date(2024, 2, 29)), book.on(date(2024, 3, 1))
    assert before == rapid.on(date(2024, 2, 29))
    assert amended.name == "ours"
    assert amended.floor is not None
    assert (amended.floor.value, amended.floor.kind, amended.floor.article) == (1300, "delist", "6.2.1")
    assert amended.first == rapid.on(date(2024, 3, 1)).first
    assert [book.on(day).gap is None for day in (date(2024, 12, 31), date(2025, 1, 1))] == [False, True]
    assert (book.organisation, book.title["en"]) == ("A club", "Club")  # the heading is its own


def test_a_file_like_another_may_have_no_edition_of_its_own(tmp_path: Path) -> None:
    assert load(write(tmp_path, like())).digest == load("fide/rapid").digest
    assert load(write(tmp_path, like("fide/blitz"))).digest == load("fide/rapid").digest  # which is itself like rapid
    assert problems(tmp_path, TOP) == ["no [[edition]]"]


def test_a_file_like_another_has_its_parameters_as_far_as_it_uses_them(tmp_path: Path) -> None:
    own = """
    [parameters.first_step_2014]
    default = 15
    [[edition]]
    from = 2012-01-01
    first = { step = 12.5 }
    """
    book = load(write(tmp_path, like(), own))
    steps = [edition.first and edition.first.step for edition in book.editions[:3]]
    assert steps == [12.5, 12.5, 15]
    assert "first_step_2012" not in book.settings
    with pytest.raises(UnknownName, match="unknown parameter 'first_step_2012'"):
        load(write(tmp_path, like(), own), {"first_step_2012": 11})


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((like("fide/rapdi"),), "like: no rulebook 'fide/rapdi' ships with arpad (did you mean fide/rapid?)"),
        ((like("elo:32/16"),), "like: no rulebook 'elo:32/16' ships with arpad"),
        (
            (like(), "[[edition]]\nname = 'x'"),
            "edition without from: those of fide/rapid begin on 2012-01-01, so that a day is needed",
        ),
        (
            (like(), "[[edition]]\nfrom = 2024-01-01\n" * 2),
            "edition from 2024-01-01: from: 2 editions of this file have it",
        ),
        (
            (like(), "[[edition]]\nfrom = 2024-03-01\nfloor = { valeu = 1300 }"),
            "edition from 2024-03-01: floor.valeu: unknown key (did you mean value?)",
        ),
        (
            (like(), "[parameters.mine]\ndefault = 1"),
            "parameters.mine: no clause uses it",
        ),
    ],
)
def test_what_is_wrong_with_a_file_like_another(tmp_path: Path, parts: tuple[str, ...], message: str) -> None:
    assert problems(tmp_path, *parts) == [message]


def test_none_takes_away_a_number_that_a_clause_may_be_without(tmp_path: Path) -> None:
    first = FIRST + '[edition.first]\ngames = 5\nmonths = 26\nfile = "fide/8.1.1.csv"\nstep = 20\n'
    later = "[[edition]]\nfrom = 2024-03-01\nfirst = { step = 'none' }\n"
    before, after = load(write(tmp_path, TOP, first, later)).editions
    assert [edition.first and edition.first.step for edition in (before, after)] == [20, None]
    assert "first.step" not in load(write(tmp_path, TOP, first, later)).origins[1]
    assert problems(tmp_path, TOP, first, later.replace("step", "games")) == [
        "edition from 2024-03-01: first.games: a whole number was expected, not text"
    ]


def test_first_ratings_gaps_and_activity_make_sense(tmp_path: Path) -> None:
    clauses = """
    gap = { difference = 0, above = 2600 }
    activity = { months = 0 }
    first = { games = 0, months = 0, file = "fide/8.1.1.csv", draws = 2, step = -1 }
    """
    text = FIRST.replace("[[edition.k]]", f"{clauses}\n[[edition.k]]", 1)
    assert problems(tmp_path, TOP, text) == [
        "edition from 2020-01-01: gap.difference: must be positive",
        "edition from 2020-01-01: activity.months: at least 1",
        "edition from 2020-01-01: first.games: at least 1",
        "edition from 2020-01-01: first.months: at least 1",
        "edition from 2020-01-01: first.step: must not be negative",
        "edition from 2020-01-01: first.draws: draws are added against players of draws_rating: both or neither",
    ]


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("change = { rule = 'half up', to = 0 }", "change.to: must be positive"),
        ("floor = { value = inf }", "floor.value: inf is no number up to 1,000,000"),
        ("floor = { value = 2000 }\nceiling = { value = 100 }", "ceiling.value: 100 is not above the floor, 2000"),
        ("curve = { shape = 'logistic', scale = 1e-308 }", "curve.scale: the logistic curve needs a positive scale"),
        ("first = { games = 5, months = 26, file = '' }", "first.draws: without a table, draws have to be added"),
        ("entry = { rating = 1e308 }", "entry.rating: 1e+308 is no number up to 1,000,000"),
        ("entry = { rating = 1000, games = -5 }", "entry.games: must not be negative"),
        ("difference = { advantage = inf }", "difference.advantage: inf is no number up to 1,000,000"),
        ("difference = { upgrades = -1 }", "difference.upgrades: must not be negative"),
        ("limit = { product = 0 }", "limit.product: must be positive"),
        ("score = { shootout_winner = 7 }", "score.shootout_winner: a score between 0 and 1"),
        ("surprise = { steps = [] }", "surprise.steps: at least one step"),
        ("unit = { of = 'period:100000-days' }", "unit.of: 'period:100000-days' is no unit"),
        ("change = { rule = 'bankers' }", "change.rule: 'bankers' is none of 'none', 'half away from zero', 'half up'"),
        ("cap = [{ value = -400 }]", "cap[1].value: must not be negative"),
        ("uplift = [{ date = 2021-01-01, share = nan, towards = 2000 }]", "uplift[1].share: nan is no number"),
        ("k_factor = [{ value = -1 }]", "k_factor[1].value: must not be negative"),
        (
            "k_factor = [{ when = { games_below = nan }, value = 1 }, { value = 1 }]",
            "k_factor[1].when.games_below: nan",
        ),
        ("k_factor = [{ power = { of = 'games', scale = 800 } }]", "k_factor[1].power.offset: must be positive"),
        ("k_factor = [{ power = { of = 'age', scale = 9, offset = 1 } }]", "k_factor[1].power.of: not everybody's age"),
        (
            "k_factor = [{ ramp = { of = 'games', points = [[0, -1], [9, 1]] } }]",
            "k_factor[1].ramp.points: no value may",
        ),
    ],
)
def test_numbers_that_nothing_can_be_reckoned_with_are_refused(tmp_path: Path, clause: str, message: str) -> None:
    first = FIRST.replace('curve = { shape = "logistic" }\n', "") if clause.startswith("curve") else FIRST
    (found,) = problems(tmp_path, TOP, first.replace("[[edition.k]]", f"{clause}\n[[edition.k]]", 1))
    assert message in found


def test_a_parameter_set_to_none_may_not_leave_the_k_without_a_row(tmp_path: Path) -> None:
    parameter = "[parameters.k]\ndefault = 'none'\nleast = 0\n"
    text = "[[edition]]\ncurve = { shape = 'logistic' }\nk = [{ value = '$k' }]\n"
    assert problems(tmp_path, TOP, parameter, text) == [
        "parameters.k.default: 'none' is not a number from 0 to 1,000,000"
    ]
    parameter += "choices = ['none']\n"
    assert problems(tmp_path, TOP, parameter, text) == [
        "edition 1: k: no row is left: each names a parameter that is none"
    ]
    text = "[[edition]]\ncurve = { shape = 'logistic', scale = '$k' }\nk = [{ value = 20 }]\n"
    assert problems(tmp_path, TOP, parameter, text) == [
        "edition 1: curve: cannot be left out, and names a parameter that is none"
    ]


def test_a_parameter_takes_no_number_beyond_any_regulation(tmp_path: Path) -> None:
    for given in ("inf", "1e308", 10**400):
        with pytest.raises(UsageError, match=r"is not a number from 0 to 1,000,000"):
            load("elo", {"k": given})


def test_a_file_of_brackets_within_brackets_is_no_rulebook(tmp_path: Path) -> None:
    assert problems(tmp_path, TOP, "x = " + "[" * 3000 + "]" * 3000) == [
        "brackets within brackets, deeper than any rulebook goes"
    ]


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, TOP, FIRST)

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", refuse)
    with pytest.raises(UsageError, match=f"cannot read {path}: Permission denied"):
        load(path)


def test_a_rulebook_by_another_ending_or_in_other_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elo").mkdir()
    assert load("elo").name == "elo"
    for path in (tmp_path, tmp_path / "club.txt"):
        (tmp_path / "club.txt").write_text(TOP)
        with pytest.raises(UsageError, match=r"is no rulebook: the name of a rulebook's file ends in \.toml"):
            load(path)
    with pytest.raises(UnknownName, match="unknown parameter 'K'; did you mean k"):
        load("elo", {"K": 24})
