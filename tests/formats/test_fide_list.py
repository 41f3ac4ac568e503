"""FIDE's rating lists: every layout by its date, what means unrated, and back to the byte."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.errors import DataError, UsageError
from arpad.formats import Reading, fide_xml, read_start
from arpad.formats.fide_list import RatingList, read_list, start_of, write_list
from arpad.formats.fide_text import LAYOUTS, day_of, form_of
from arpad.formats.rating_list import FLOORS, floor_on
from arpad.model import PartialDate, Problem
from arpad.rulebooks import load

from .helpers import errors, warnings

NEW = "ID Number      Name                                                         Fed Sex Tit  WTit OTit           "
COMBINED = NEW + "FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
LEGACY = NEW + "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
CHAPTER = NEW + "FOA OCT26 Gms K  B-day Flag"
OLD = "ID number Name                              TitlFed  Mar11 GamesBorn  Flag"
OLDEST = "ID_NUMBER NAME                             TITLE COUNTRY JAN01 GAMES FLAG"

#: Fields of the layout that all of FIDE's larger ones have in common, with their widths.
PERSON = (("fideid", 15), ("name", 61), ("fed", 4), ("sex", 4), ("tit", 5), ("wtit", 5), ("otit", 15))


def person(*texts: str) -> str:
    return "".join(text.ljust(width) for text, (_, width) in zip(texts, PERSON))


ALPHA = person("1503014", "Alpha, Anna-Karl", "NOR", "F", "GM", "WGM", "IA,FST")
BETA = person("4600002", "Beta, Carl", "GER", "M", "", "", "")


def combined(start: str, foa: str, *numbers: str, born: str, flag: str) -> str:
    cells = [text.ljust(width) for text, width in zip(numbers, (6, 4, 3) * 3)]
    return start + foa.ljust(4) + "".join(cells) + born.ljust(6) + flag.ljust(4)


def text_of(*lines: str, end: str = "\r\n") -> bytes:
    return "".join(line + end for line in lines).encode()


COMBINED_TEXT = text_of(
    COMBINED,
    combined(ALPHA, "AGM", "2512", "9", "10", "2490", "0", "10", "0", "0", "0", born="1990", flag="w"),
    combined(BETA, "", "0", "0", "0", "0", "0", "0", "0", "0", "0", born="2012", flag=""),
)
#: As downloaded in 2015: blank where there is no value, and a row with nothing but an id, a federation and a sex.
LEGACY_TEXT = text_of(
    LEGACY,
    "10207538       A E M, Doshtagir                                             BAN M                            "
    "1840  0   40 1836  0   20 1860  0   20 1974      ",
    "7704658                                                                     TTO M                            "
    "                                       0000      ",
)
CHAPTER_TEXT = text_of(
    CHAPTER,
    ALPHA + "AGM " + "2512  " + "9   " + "10 " + "1990  " + "w   ",
    BETA + "    " + "1405  " + "0   " + "40 " + "2012  " + "    ",
)
OLD_TEXT = text_of(
    OLD,
    " 4158814  Andreikin, Dmitry                 g   RUS  2686    9  1990  ",
    "10206612  A K M, Sourab                         BAN  1714    0        ",
    " 5080444  A, Sohita                         wm  IND  1447    0  1995  wi",
)
OLDEST_TEXT = text_of(
    OLDEST,
    "  ",
    " 1701991  Aaberg, Anton                          SWE     2300    0   i   ",
    " 1401815  Aagaard, Jacob                   m     DEN     2374   18       ",
)
TEXTS = {
    "combined": COMBINED_TEXT,
    "legacy": LEGACY_TEXT,
    "chapter": CHAPTER_TEXT,
    "old": OLD_TEXT,
    "oldest": OLDEST_TEXT,
}
XML = """<playerslist>
<player>
<fideid>1503014</fideid>
<name>Alpha, Anna &amp; Karl</name>
<country>NOR</country>
<sex>F</sex>
<title>GM</title>
<w_title>WGM</w_title>
<o_title>IA,FST</o_title>
<foa_title></foa_title>
<rating>2512</rating>
<games>9</games>
<k>10</k>
<rapid_rating>2490</rapid_rating>
<rapid_games>0</rapid_games>
<rapid_k>10</rapid_k>
<blitz_rating>0</blitz_rating>
<blitz_games>0</blitz_games>
<blitz_k>0</blitz_k>
<birthday>1990</birthday>
<flag>w</flag>
</player>
<player>
<fideid>4600002</fideid>
<name>Beta, Carl</name>
<country>GER</country>
<sex>M</sex>
<title></title>
<w_title></w_title>
<o_title></o_title>
<foa_title>AFM</foa_title>
<rating>0</rating>
<games>0</games>
<k>0</k>
<rapid_rating>0</rapid_rating>
<rapid_games>0</rapid_games>
<rapid_k>0</rapid_k>
<blitz_rating>1405</blitz_rating>
<blitz_games>3</blitz_games>
<blitz_k>40</blitz_k>
<birthday></birthday>
<flag></flag>
</player>
</playerslist>
"""


def listed(folder: Path, content: bytes | str, name: str = "list.txt", **how: Any) -> tuple[RatingList, list[Problem]]:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_list(path, **how)


def written(found: RatingList, *how: Any) -> bytes:
    target = io.BytesIO()
    write_list(found, target, *how)
    return target.getvalue()


@pytest.mark.parametrize("layout", TEXTS)
def test_text_of_every_layout_is_written_again_to_the_byte(layout: str, tmp_path: Path) -> None:
    found, problems = listed(tmp_path, TEXTS[layout])
    assert errors(problems) == []
    assert written(found) == TEXTS[layout]


def test_layouts_have_the_widths_of_the_published_files() -> None:
    widths = {name: form_of(header.format(month="OCT26")).width for name, header in LAYOUTS.items()}
    assert widths == {"combined": 162, "legacy": 158, "chapter": 136, "old": 74}
    starts = dict(form_of(COMBINED).columns)
    assert [starts[name] + 1 for name in ("fideid", "name", "country", "sex", "title")] == [1, 16, 77, 81, 85]
    assert [starts[name] + 1 for name in ("w_title", "o_title", "foa_title", "rating", "games", "k")] == [
        *(90, 95, 110, 114, 120, 124)
    ]
    assert [starts[name] + 1 for name in ("rapid_rating", "blitz_rating", "birthday", "flag")] == [127, 140, 153, 159]


def test_combined_list(tmp_path: Path) -> None:
    found, _ = listed(tmp_path, COMBINED_TEXT)
    alpha, beta = found.row(0), found.row(1)
    assert (alpha.id, alpha.name, alpha.federation, alpha.sex) == (1503014, "Alpha, Anna-Karl", "NOR", "F")
    assert (alpha.title, alpha.women_title, alpha.other_titles, alpha.arena_title) == ("GM", "WGM", "IA,FST", "AGM")
    assert (alpha.born, alpha.flag) == (1990, "w")
    assert alpha.ratings == {"standard": (2512, 9, 10), "rapid": (2490, 0, 10), "blitz": (None, 0, None)}
    assert beta.ratings["standard"] == (None, 0, None)


def test_old_layouts_have_letters_for_titles_and_the_month_for_the_rating(tmp_path: Path) -> None:
    found, problems = listed(tmp_path, OLD_TEXT)
    assert [found.row(at).title for at in range(3)] == ["GM", None, "WIM"]
    assert found.row(0).ratings == {"standard": (2686, 9, None)}
    assert found.day == date(2011, 3, 1).toordinal()
    assert found.row(2).flag == "wi"
    assert found.row(1).born is None
    assert problems == []
    oldest, _ = listed(tmp_path, OLDEST_TEXT)
    assert oldest.day == date(2001, 1, 1).toordinal()
    assert oldest.row(1).federation == "DEN"
    assert oldest.row(1).title == "IM"
    assert oldest.row(0).flag == "i"


def test_chapter_and_day_come_from_the_header_then_from_the_name(tmp_path: Path) -> None:
    found, problems = listed(tmp_path, CHAPTER_TEXT, "rapid_oct26frl.txt")
    assert list(found.chapters) == ["rapid"]
    assert found.day == date(2026, 10, 1).toordinal()
    assert problems == []
    xml = XML.replace("rapid_", "x").replace("blitz_", "y")
    named, _ = listed(tmp_path, xml, "blitz_sep24frl.xml")
    assert (list(named.chapters), named.day) == (["blitz"], date(2024, 9, 1).toordinal())
    given, _ = listed(tmp_path, CHAPTER_TEXT, chapter="blitz", day=date(2020, 1, 1))
    assert (list(given.chapters), given.day) == (["blitz"], date(2026, 10, 1).toordinal())
    _, told = listed(tmp_path, CHAPTER_TEXT)
    assert "taken as standard" in warnings(told)


def test_months_of_headers() -> None:
    assert [day_of(text) for text in ("OCT26", "Mar11", "jul99", "none", "XOCT26")] == [
        *(date(2026, 10, 1).toordinal(), date(2011, 3, 1).toordinal(), date(1999, 7, 1).toordinal(), 0, 0)
    ]


def test_c03_a_k_of_zero_is_no_value(tmp_path: Path) -> None:
    found, _ = listed(tmp_path, COMBINED_TEXT)
    assert found.row(0).ratings["blitz"] == (None, 0, None)
    assert found.chapters["blitz"].k[0] == 0


def test_c39_what_a_list_does_not_say_is_none(tmp_path: Path) -> None:
    found, problems = listed(tmp_path, LEGACY_TEXT)
    assert errors(problems) == []
    bare = found.row(1)
    assert (bare.id, bare.name, bare.federation, bare.born, bare.title, bare.flag) == (
        *(7704658, "", "TTO", None, None, None),
    )
    assert bare.ratings == dict.fromkeys(("standard", "rapid", "blitz"), (None, None, None))


def test_c43_overlong_titles_cost_that_row_only(tmp_path: Path) -> None:
    shifted = person("800004", "Gamma, Gil", "FRA", "M", "", "", "LSI,FI,SI,SLI,NA")
    good = LEGACY_TEXT.decode().splitlines()
    rest = "1946  0   20 1836  0   20 1860  0   20 1974      "
    found, problems = listed(tmp_path, text_of(good[0], good[1], shifted + rest, good[2]))
    assert [int(each) for each in found.id] == [10207538, 7704658]
    assert [(problem.line, problem.column) for problem in errors(problems)] == [(3, "rating")]
    assert "'A1946' is not a number" in errors(problems)[0].message
    assert "left out: 1 of 3" in warnings(problems)


def test_c43_overlong_titles_before_an_arena_title(tmp_path: Path) -> None:
    shifted = person("800004", "Gamma, Gil", "FRA", "M", "", "", "SI,FI,LSI,SLI,NA") + "AFM "
    lines = COMBINED_TEXT.decode().splitlines()
    odd = shifted + lines[1][len(ALPHA) + 4 :]
    found, problems = listed(tmp_path, text_of(lines[0], lines[1], odd, lines[2]))
    assert len(found) == 2
    assert [problem.line for problem in errors(problems)] == [3]
    assert "runs over into the next column" in errors(problems)[0].message


@pytest.mark.parametrize("rating", ["0", "-", "?", "", "1382"])
def test_c44_unrated_by_whatever_text(rating: str, tmp_path: Path) -> None:
    row = BETA + "    " + rating.ljust(6) + "0   " + "40 " + "2012  " + "    "
    found, problems = listed(tmp_path, text_of(CHAPTER, row))
    assert errors(problems) == []
    assert found.row(0).ratings["standard"][0] is None
    assert [start.rating for start in start_of(found)] == [None]
    assert written(found) == text_of(CHAPTER, row)
    assert ("1400, the floor of the list's day" in warnings(problems)) == (rating == "1382")


def test_c44_the_floor_is_that_of_the_day(tmp_path: Path) -> None:
    row = BETA + "    " + "1382  " + "0   " + "40 " + "2012  " + "    "
    for month, rating in (("FEB24", 1382), ("MAR24", None)):
        found, _ = listed(tmp_path, text_of(CHAPTER.replace("OCT26", month), row))
        assert found.row(0).ratings["standard"][0] == rating


def test_floors_are_those_of_the_rulebook_where_their_day_is_certain() -> None:
    book = load("fide/standard")
    for day, floor in FLOORS:
        edition = book.on(day)
        assert edition.floor is not None
        assert edition.floor.value == floor_on(day.toordinal()) == floor
    assert floor_on(date(2009, 6, 30).toordinal()) == floor_on(0) == 0


def test_c49_mononyms_and_names_of_sixty_letters(tmp_path: Path) -> None:
    long = "Abcdefghij-" * 5 + "Abcde"
    rows = [person("1", "Pelé", "BRA", "M"), person("2", long, "ESP", "F")]
    lines = [row.ljust(109) + "    2000  0   20 1990      " for row in rows]
    content = text_of(CHAPTER, *lines)
    found, problems = listed(tmp_path, content)
    assert errors(problems) == []
    assert list(found.name) == ["Pelé", long]
    assert written(found) == content
    renamed = msgspec.structs.replace(found, name=["Pelé", long + "fghij"], kept={})
    cut = write_list(renamed, target := io.BytesIO())
    assert [problem.line for problem in cut] == [2]
    assert "was cut" in cut[0].message
    again, _ = listed(tmp_path, target.getvalue())
    assert again.name[1] == (long + "fghij")[:61]
    assert again.row(1).ratings == found.row(1).ratings


@pytest.mark.parametrize(("code", "kept"), [("cur", "CUR"), ("ITa", "ITA"), ("XYZ", "XYZ"), ("", None)])
def test_c50_federations_in_upper_case_unknown_ones_as_they_are(code: str, kept: str | None, tmp_path: Path) -> None:
    content = text_of(CHAPTER, person("1", "A, B", code, "M").ljust(109) + "    2000  0   20 1990      ")
    found, problems = listed(tmp_path, content)
    assert errors(problems) == []
    assert found.row(0).federation == kept
    assert written(found) == content


def test_lists_in_cp1252_are_written_so_again(tmp_path: Path) -> None:
    content = OLD_TEXT.decode().replace("Andreikin, Dmitry", "Müller, Jörg  (é)").encode("cp1252")
    found, problems = listed(tmp_path, content)
    assert found.name[0] == "Müller, Jörg  (é)"
    assert "CP1252" in warnings(problems)
    assert written(found) == content


@pytest.mark.parametrize(
    "change", [lambda t: t[:-2], lambda t: t.replace(b"\r\n", b"\n"), lambda t: b"\xef\xbb\xbf" + t]
)
@pytest.mark.parametrize("layout", TEXTS)
def test_line_ends_and_marks_come_back(layout: str, change: Any, tmp_path: Path) -> None:
    content = change(TEXTS[layout])
    found, problems = listed(tmp_path, content)
    assert errors(problems) == []
    assert written(found) == content


def test_lines_cut_by_an_editor_are_read_and_come_back(tmp_path: Path) -> None:
    content = b"\r\n".join(line.rstrip() for line in COMBINED_TEXT.split(b"\r\n"))
    found, _ = listed(tmp_path, content)
    assert found.form is not None
    assert found.form.trimmed
    assert found.row(1).born == 2012
    assert written(found) == content


def test_a_changed_list_is_not_written_with_its_old_lines(tmp_path: Path) -> None:
    content = CHAPTER_TEXT.replace(b"1405  ", b" 1405 ")
    found, _ = listed(tmp_path, content)
    assert list(found.kept) == [1]
    standard = found.chapters["standard"]
    changed = msgspec.structs.replace(
        found, chapters={"standard": msgspec.structs.replace(standard, rating=[2520, 1417])}
    )
    again, _ = listed(tmp_path, written(changed))
    assert [again.row(at).ratings["standard"][0] for at in range(2)] == [2520, 1417]


def test_the_next_list_has_its_own_month_in_the_header(tmp_path: Path) -> None:
    for content, month in ((CHAPTER_TEXT, b"FOA NOV26 Gms"), (OLD_TEXT, b"  Nov26 Games")):
        found, _ = listed(tmp_path, content)
        after = msgspec.structs.replace(found, day=date(2026, 11, 1).toordinal())
        assert month in written(after).splitlines()[0]


@pytest.mark.parametrize("layout", ["combined", "legacy", "xml"])
def test_lists_keep_their_facts_in_other_layouts(layout: Any, tmp_path: Path) -> None:
    found, _ = listed(tmp_path, XML, "list.xml")
    name = "list.xml" if layout == "xml" else "list.txt"
    again, problems = listed(tmp_path, written(found, layout), name)
    assert errors(problems) == []
    for row in range(2):
        lost = {"arena_title": None} if layout == "legacy" else {}
        assert again.row(row) == msgspec.structs.replace(found.row(row), **lost)


def test_one_chapter_of_several(tmp_path: Path) -> None:
    found, _ = listed(tmp_path, XML, "list.xml")
    found = msgspec.structs.replace(found, day=date(2026, 10, 1).toordinal())
    told = write_list(found, target := io.BytesIO(), "chapter", "blitz")
    assert "left out: standard, rapid" in warnings(told)
    again, _ = listed(tmp_path, target.getvalue(), "blitz.txt")
    assert again.row(1).ratings == {"blitz": (1405, 3, 40)}
    assert b"FOA OCT26 Gms" in target.getvalue()
    old = written(found, "old")
    assert b"  Oct26 GamesBorn  Flag\r\n" in old
    assert b" 1503014  Alpha, Anna & Karl                g   NOR  2512    9  1990  w" in old


def test_xml_in_canonical_form_comes_back_to_the_byte(tmp_path: Path) -> None:
    found, problems = listed(tmp_path, XML, "list.xml")
    assert problems == []
    assert found.name[0] == "Alpha, Anna & Karl"
    assert found.row(1).ratings == {"standard": (None, 0, None), "rapid": (None, 0, None), "blitz": (1405, 3, 40)}
    assert written(found).decode() == XML


def test_xml_with_tabs_a_declaration_and_other_elements(tmp_path: Path) -> None:
    content = "<?xml version='1.0' encoding='iso-8859-1'?>\n" + XML.replace("\n<", "\n\t<").replace("Beta", "Bêta")
    content = content.replace("<flag>", "<club>X</club><flag>")
    found, problems = listed(tmp_path, content.encode("iso-8859-1"), "list.xml")
    assert found.name[1] == "Bêta, Carl"
    assert warnings(problems) == "elements not read: club"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "<players></players>",
        XML[:-20],
        XML.replace("</name>", ""),
        "<!DOCTYPE a [<!ENTITY b 'c'>]>" + XML,
        XML.replace("&amp;", "&nothing;"),
        "no list at all",
    ],
)
def test_what_is_no_list_is_refused(content: str, tmp_path: Path) -> None:
    with pytest.raises(DataError):
        listed(tmp_path, content, "list.xml")


def test_bad_rows_of_xml_have_lines(tmp_path: Path) -> None:
    content = XML.replace("<rating>0</rating>", "<rating>12a</rating>")
    found, problems = listed(tmp_path, content, "list.xml")
    assert len(found) == 1
    assert [(problem.line, problem.column) for problem in errors(problems)] == [(24, "rating")]


def test_an_id_stands_in_a_list_once(tmp_path: Path) -> None:
    lines = CHAPTER_TEXT.decode().splitlines()
    found, problems = listed(tmp_path, text_of(*lines, lines[1], lines[1].replace("1503014", "      0")))
    assert len(found) == 2
    assert [problem.line for problem in errors(problems)] == [4, 5]
    assert "stands in the list twice" in errors(problems)[0].message


@pytest.mark.parametrize("inner", ["standard_rating_list.txt", "players_list_xml_foa.xml"])
def test_a_list_in_a_zip(inner: str, tmp_path: Path) -> None:
    path = tmp_path / "standard_oct26frl.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as box:
        box.writestr(inner, CHAPTER_TEXT if inner.endswith("txt") else XML)
    found, problems = read_list(path)
    assert problems == []
    assert len(found) == 2
    write_list(found, tmp_path / "again.zip")
    write_list(found, tmp_path / "twice.zip")
    again, _ = read_list(tmp_path / "again.zip")
    assert [again.row(at) for at in range(2)] == [found.row(at) for at in range(2)]
    assert (tmp_path / "again.zip").read_bytes().replace(b"again", b"twice") == (tmp_path / "twice.zip").read_bytes()


def test_a_zip_must_hold_one_list(tmp_path: Path) -> None:
    path = tmp_path / "two.zip"
    with zipfile.ZipFile(path, "w") as box:
        box.writestr("a.txt", CHAPTER_TEXT)
        box.writestr("b.txt", CHAPTER_TEXT)
    with pytest.raises(DataError, match=r"this one holds a\.txt, b\.txt"):
        read_list(path)


def test_starts_by_id_or_by_name(tmp_path: Path) -> None:
    found, _ = listed(tmp_path, XML, "list.xml")
    assert [(start.player, start.rating, start.born) for start in start_of(found)] == [
        ("1503014", 2512.0, PartialDate(1990)),
        ("4600002", None, None),
    ]
    assert [start.player for start in start_of(found, "blitz", "name")] == ["Alpha, Anna & Karl", "Beta, Carl"]
    twins = msgspec.structs.replace(found, name=["Beta, Carl", "Beta, Carl"])
    assert start_of(twins, "rapid", "name") == []
    with pytest.raises(UsageError, match="no chapter rapid"):
        start_of(msgspec.structs.replace(found, chapters={}), "rapid")


def test_lists_are_start_lists_by_their_content(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(COMBINED_TEXT)
    starts, problems = read_start(path, Reading(columns={"player": "Name", "rating": "RRtng"}))
    assert [(start.player, start.rating) for start in starts] == [("Alpha, Anna-Karl", 2490.0), ("Beta, Carl", None)]
    assert "the rapid ratings of a rating list, players by name" in warnings(problems)
    path.write_text("player,rating\nAnna,1500\n")
    assert [start.player for start in read_start(path)[0]] == ["Anna"]
    path.write_bytes(COMBINED_TEXT)
    with pytest.raises(UsageError, match="known: SRtng, RRtng or BRtng"):
        read_start(path, Reading(columns={"rating": "Elo"}))


NAME = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=20)
ROW = st.fixed_dictionaries(
    {
        "fideid": st.integers(1, 10**9).map(str),
        "name": NAME,
        "country": st.sampled_from(["ITA", "fra", ""]),
        "rating": st.sampled_from(["2000", "0", "", "-", "x"]),
        "games": st.sampled_from(["0", "", "12"]),
        "k": st.sampled_from(["0", "20"]),
        "birthday": st.sampled_from(["", "1990", "0000", "0"]),
    }
)


def _xml(rows: list[dict[str, str]], gap: str) -> str:
    escaped = [
        {name: row[name].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for name in sorted(row)}
        for row in rows
    ]
    inner = "".join(
        f"{gap}<player>{gap}" + gap.join(f"<{name}>{text}</{name}>" for name, text in row.items()) + f"{gap}</player>"
        for row in escaped
    )
    return f"<playerslist>{inner}{gap}</playerslist>"


@settings(max_examples=60, deadline=None)
@given(st.lists(ROW, min_size=1, max_size=5), st.sampled_from(["", "\n", "\r\n\t"]))
def test_both_readers_of_xml_see_the_same(rows: list[dict[str, str]], gap: str) -> None:
    content = _xml(rows, gap).encode()
    fast = fide_xml._by_pattern(io.BytesIO(content), "x", "utf-8", 0, "standard")
    slow = fide_xml._by_parser(io.BytesIO(content), "x", None, 0, "standard")
    assert [fast[0].row(at) for at in range(len(fast[0]))] == [slow[0].row(at) for at in range(len(slow[0]))]
    assert fast[1] == slow[1]
    assert fast[0].form == slow[0].form
