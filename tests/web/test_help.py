"""Help is complete in each language, and its links and those that lead to it arrive."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from litestar.testing import TestClient

from arpad.web.drawing import FOLDER, LANGUAGES
from arpad.web.pages.help import TOPICS, rendered, source

ANCHORS = re.compile(r"\{#([a-z-]+)\}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_topic_is_there_and_none_besides(language: str) -> None:
    assert {path.stem for path in (FOLDER / "help" / language).iterdir()} == set(TOPICS)
    for name in TOPICS:
        assert source(language, name).startswith("# "), name


@pytest.mark.parametrize("name", TOPICS)
def test_a_topic_has_the_same_parts_in_each_language(name: str) -> None:
    def shape(language: str) -> tuple[object, ...]:
        text = source(language, name)
        links = re.findall(r"\]\(([^)]*)\)", text)
        return ANCHORS.findall(text), sorted(links), text.count("\n- "), text.count("\n## ")

    assert shape("it") == shape("en")
    assert shape("es") == shape("en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_inside_help_arrives(client: TestClient, language: str) -> None:
    wanted = {f"/{language}/help"}
    seen: dict[str, str] = {}
    while wanted:
        address = wanted.pop()
        answer = client.get(address)
        assert answer.status_code == 200, address
        seen[address] = answer.text
        main = answer.text.partition("<main")[2].partition("</main>")[0]
        for link in re.findall(r'href="([^"]*)"', main) if "/help" in address else []:
            path = html.unescape(link).partition("#")[0] or address
            wanted |= {path} - seen.keys()
    assert len(seen) > len(TOPICS) + 5
    for address, text in seen.items():
        for path, anchor in re.findall(r'href="([^"#]*)#([a-z-]+)"', text) if "/help" in address else []:
            assert f'id="{anchor}"' in seen[path or address], f"{address}: {path}#{anchor}"


def test_every_word_that_is_explained_is_in_the_glossary() -> None:
    templates = [path.read_text(encoding="utf-8") for path in Path(FOLDER / "templates").glob("*.html")]
    asked = {anchor for text in templates for anchor in re.findall(r'glossed\("([^"]*)"\)', text)}
    assert len(asked) > 5
    assert asked <= set(ANCHORS.findall(source("en", "glossary")))


def test_markup_in_a_text_is_only_text() -> None:
    assert "<script>" not in rendered("<script>alert(1)</script> [x](javascript:alert(1))", str)
    assert "javascript:" not in re.sub(r"\[x\]\(.*\)", "", rendered("[x](javascript:alert(1))", str))


def test_there_is_no_other_topic(client: TestClient) -> None:
    answer = client.get("/en/help/..%2f..%2fapp")
    assert answer.status_code == 404
    assert client.get("/en/help/nothing").status_code == 404
