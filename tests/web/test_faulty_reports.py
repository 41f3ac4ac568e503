"""Reports with very many faults, and with names that look like anything but names."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

from arpad.web.drawing import LANGUAGES, LISTED
from tests.web.callers import OFFICER, client_as
from tests.web.people import FORM

HEAD = "event,round,date,white,black,result\n"
NAMES = ("<b>x</b>", "{0}", "%(name)s", "100.5", "2025-01-01", "round 3: x", "base", "Rossi and Bianchi", "it is lost")


def handed_in(client: Any, content: str, name: str = "faulty.csv") -> int:
    """The number of a report, which is handed in by the form."""
    client.get("/en/desk/reports")
    headers = {"x-csrftoken": client.cookies[FORM]}
    page = client.post("/en/desk/reports", files={"files": (name, content.encode())}, headers=headers).text
    return int(re.findall(r'href="/en/desk/reports/(\d+)"', page)[-1])


def letter(page: str) -> str:
    return html.unescape(re.findall(r"<textarea readonly[^>]*>(.*?)</textarea>", page, re.DOTALL)[0])


def test_of_very_many_problems_the_first_ones_are_listed_with_how_many_more_there_are(demo_copy: Path) -> None:
    rows = "".join(f"Open,1,2025-11-20,White {each},Black {each},zz{each}\n" for each in range(LISTED + 234))
    with client_as(OFFICER, demo_copy) as client:
        number = handed_in(client, HEAD + rows + "Open,1,2025-11-20,A,B,1-0\n")
        page = client.get(f"/it/desk/reports/{number}").text
    problems = page.partition("<h2>Problemi</h2>")[2].partition("<h2>")[0]
    assert problems.count("<li>") == LISTED
    assert "E altri: 236. Prima correggi questi." in problems
    assert "&#39;zz999&#39;" in problems
    assert "&#39;zz1000&#39;" not in problems
    assert letter(page).count("\n- ") == LISTED
    assert re.search(r"\nE altri: \d+\.$", letter(page))


def test_a_letter_to_whoever_sent_a_report_tells_nothing_of_the_register(demo_copy: Path) -> None:
    with client_as(OFFICER, demo_copy) as client:
        number = handed_in(client, HEAD + 'Open,1,2025-11-20,"Bortolamei, Zeno",Somebody,1-0\n')
        page = client.get(f"/en/desk/reports/{number}").text
    assert "person 24, 'Bortolamei, Zeno' (1987; fide 99900124)" in html.unescape(page)
    assert "'Bortolamei, Zeno': an officer has to say who this is" in letter(page)
    assert "1987" not in letter(page)
    assert "99900124" not in letter(page)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_that_look_like_markup_or_sentences_are_shown_as_they_are(demo_copy: Path, language: str) -> None:
    rows = "".join(f'round 3: x,{turn},2025-11-20,"{name}",Somebody,zz\n' for turn, name in enumerate(NAMES, 1))
    good = "".join(f'round 3: x,{turn},2025-11-20,"{name}",Somebody,1-0\n' for turn, name in enumerate(NAMES, 20))
    with client_as(OFFICER, demo_copy) as client:
        number = handed_in(client, HEAD + rows + good, "<b>x</b> {0}.csv")
        page = client.get(f"/{language}/desk/reports/{number}").text
    assert "<b>x" not in page
    shown = html.unescape(page)
    for name in NAMES:
        assert f"<li>{name!r}: " in shown, name
        assert f'<th scope="row">{name}</th>' in shown, name
