"""The calculators' pages: the digits of the command line, links that ask the same again, and refusals beside forms."""

from __future__ import annotations

import csv
import html
import io
import re
from pathlib import Path

import pytest
from litestar.testing import TestClient

from arpad.cli import run
from arpad.errors import DataError
from arpad.web.views.typed import line, meetings
from arpad.web.views.whatif import Meeting

GAMES = ((1850, "1", "1-0"), (1725, "=", "1/2-1/2"), (2400, "1", "1-0"), (1500, "0", "0-1"), (1500, "1", "1-0"))
TEXT = "\n".join(f"{rating} {sign}" for rating, sign, _ in GAMES)


def big(page: str) -> float:
    """The result that a page says first."""
    found = re.search(r'<dd class="big">(.*?)</dd>', page)
    assert found
    return float(found[1])


@pytest.mark.parametrize("rules", ["fide/standard", "uschess/regular", "ecf/monthly", "glicko2", "elo"])
def test_the_page_has_the_digits_and_the_words_of_the_command_line(
    rules: str, client: TestClient, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    start = ["player,rating,games", "X,1850,100", *(f"{at},{game[0]},100" for at, game in enumerate(GAMES, 1))]
    games = [f"2025-06-01,what if,{at},X,{at},{game[2]}" for at, game in enumerate(GAMES, 1)]
    (tmp_path / "start.csv").write_text("\n".join(start) + "\n")
    (tmp_path / "games.csv").write_text("\n".join(["date,event,round,white,black,result", *games]) + "\n")
    common = [str(tmp_path / "games.csv"), "--start", str(tmp_path / "start.csv"), "--rules", rules]
    assert run(["rate", *common, "--format", "csv"]) == 0
    row = next(row for row in csv.DictReader(io.StringIO(capfd.readouterr().out)) if row["player"] == "X")
    assert run(["explain", *common, "--player", "X"]) == 0
    told = [each.strip() for each in capfd.readouterr().out.splitlines() if each.strip()]
    asked = {"rules": rules, "date": "2025-06-01", "rating": "1850", "text": TEXT}
    page = html.unescape(client.get("/en/whatif", params=asked).text)
    assert big(page) == round(float(row["rating"]), 2)
    assert [each for each in told if each not in page] == []


def test_rows_of_fields_and_lines_are_the_same_games(client: TestClient) -> None:
    fields = {f"opponent{at}": str(game[0]) for at, game in enumerate(GAMES, 1)}
    fields |= {f"score{at}": game[1] for at, game in enumerate(GAMES, 1)}
    one = client.get("/en/whatif", params={"rating": "1850", "rules": "fide/standard", **fields}).text
    other = client.get("/en/whatif", params={"rating": "1850", "rules": "fide/standard", "text": TEXT}).text
    assert big(one) == big(other) == 1859


def test_a_link_to_a_page_asks_the_same_again(client: TestClient) -> None:
    asked = {"rating": "1850", "rules": "fide/standard", "text": "1850 1\r\n1725 =\r\n1900", "target": "1870"}
    page = client.get("/it/whatif", params=asked).text
    link = re.search(r'<a href="([^"]*)" rel="nofollow">Link', page)
    assert link
    assert client.get(html.unescape(link[1])).text == page
    assert "8.3.3" in page


def test_the_cap_of_a_difference_and_of_k_are_said_with_their_article(client: TestClient) -> None:
    text = "\n".join(["2400 1", *["1500 1"] * 40])
    asked = {"rules": "fide/standard", "date": "2025-11-01", "rating": "1850", "played": "5", "text": text}
    page = html.unescape(client.get("/en/whatif", params=asked).text)
    assert "<strong>8.3.1</strong> A difference above 400 counts as 400" in page
    assert "<strong>8.3.3</strong> K times the games of a period may not exceed 700" in page


def test_games_of_an_event_are_added_and_come_to_what_it_did(client: TestClient) -> None:
    """Bianchi: a win and a draw in the Winter Open, K 20."""
    answer = client.get("/en/whatif", params={"event": "1", "person": "1"}, follow_redirects=False)
    assert answer.status_code == 303
    page = client.get(answer.headers["location"]).text
    assert ">1745 1\n1810 =</textarea>" in page
    event = client.get("/api/v1/events/1").json()
    after = next(each["after"] for each in event["entrants"] if each["person"] == 1)
    assert big(page) == after
    more = client.get("/en/whatif", params={"event": "1", "person": "1", "text": "2000 1"}).text
    assert ">2000 1\n1745 1\n1810 =</textarea>" in more
    assert client.get("/en/whatif?event=1&person=99").status_code == 404
    assert client.get("/en/whatif?event=9&person=1").status_code == 404


def test_without_a_rating_a_first_one_is_worked_out(client: TestClient) -> None:
    page = client.get("/en/whatif", params={"rules": "fide/standard", "date": "2025-06-01", "text": TEXT}).text
    assert big(page) == 1898
    assert "64" in page


@pytest.mark.parametrize(
    ("query", "status", "words"),
    [
        ("text=1850+x", 422, "line:1"),
        ("text=1850+1&rules=../office", 404, "unknown"),
        ("text=1850+1&rules=list:nobody", 404, "nobody"),
        ("text=1e9+1", 422, "1e9"),
        ("text=1850+1&rating=1850&date=1900-01-01&rules=fide/standard", 400, "1900"),
        ("opponent1=<script>alert(1)</script>", 422, "&lt;script&gt;"),
    ],
)
def test_what_cannot_be_asked_is_said_beside_the_form(client: TestClient, query: str, status: int, words: str) -> None:
    answer = client.get(f"/en/whatif?{query}")
    assert answer.status_code == status
    assert '<div role="alert">' in answer.text
    assert words in answer.text
    assert '<form method="get" id="question"' in answer.text
    assert "<script>alert" not in answer.text


def test_games_typed_in() -> None:
    read = meetings("1850 1\n\n1600/80 0\r\n1725 1/2\n1900\n2000/50,5 ?\n- 1\nbye\n1609:1 1477:=")
    assert read == (
        Meeting(1850, 1.0),
        Meeting(1600, 0.0, deviation=80),
        Meeting(1725, 0.5),
        Meeting(1900),
        Meeting(2000, deviation=50.5),
        Meeting(None, 1.0),
        Meeting(1609, 1.0),
        Meeting(1477, 0.5),
    )
    assert meetings("\n".join(map(line, read))) == read
    with pytest.raises(DataError) as caught:
        meetings("1850 1\nx 1\n1700 7")
    assert [problem.line for problem in caught.value.problems] == [2, 3]
    for pasted in ("1,850 1", "2.400 ="):  # out of a spreadsheet, a rating of 1850, or of 1.85
        with pytest.raises(DataError, match="thousands or decimals"):
            meetings(pasted)


def test_an_expected_score_with_its_table(client: TestClient) -> None:
    page = client.get("/en/expected", params={"own": "1613", "opponent": "1609", "rules": "fide/standard"}).text
    assert big(page) == 0.51
    assert "736 and more" in page
    told = client.get("/api/v1/expected/table?rules=fide/standard").json()
    assert told["rows"][1] == {"low": 4, "high": 10, "higher": "0.51", "lower": "0.49"}
    assert "no curve" in client.get("/api/v1/expected/table?rules=trueskill").json()["reason"]
    assert "trueskill no tiene curva" in client.get("/es/expected?rules=trueskill").text
    assert client.get("/en/expected?own=1613&opponent=1e9").status_code == 400


def test_performances_by_every_method_with_their_sources(client: TestClient) -> None:
    page = html.unescape(client.get("/en/performance", params={"text": "2400 1\n2500 1\n2600 ="}).text)
    for words in ("2773", "2792.2", "FIDE title regulations 1.4.7-1.4.9", "Perfect Tournament Performance"):
        assert words in page
    assert client.get("/it/performance?text=1850").status_code == 200
    told = client.post("/api/v1/performance", json={"opponents": [2400], "score": 1, "method": "all"}).json()
    assert [each["method"] for each in told["methods"]] == [each["method"] for each in told["performances"]]
