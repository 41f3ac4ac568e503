"""Every word of the pages is there in every language, and none is left that no page says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from arpad.web.drawing import FOLDER, LANGUAGES

METHODS = [("templates/**", "jinja2.ext:babel_extract"), ("**.py", "python")]


def said() -> set[str]:
    """What templates and pages say, in English."""
    found = extract_from_dir(FOLDER, METHODS, {"templates/**": {"trimmed": "false"}})
    return {part for _, _, message, _, _ in found for part in ([message] if isinstance(message, str) else message)}


def translated(language: str) -> Iterator[tuple[str, str, str]]:
    for path in sorted((FOLDER / "languages" / language).glob("*.po")):
        with path.open("rb") as file:
            for message in read_po(file, locale=language):
                ids = message.id if isinstance(message.id, tuple) else (message.id,)
                words = message.string if isinstance(message.string, tuple) else (message.string,)
                for number, each in enumerate(ids):
                    if each:
                        yield path.name, each, words[min(number, len(words) - 1)]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_word_is_translated_and_none_is_idle(language: str) -> None:
    told: dict[str, set[str]] = {}
    for _, message, words in translated(language):
        told.setdefault(message, set()).add(words)
    spoken = said()
    assert sorted(spoken - set(told)) == [], "not translated"
    assert sorted(set(told) - spoken) == [], "nothing says this any more"
    assert {message: words for message, words in told.items() if len(words) > 1} == {}, "two translations"
    holes = re.compile(r"%\(\w+\)s")
    for message, words in told.items():
        for each in words:
            assert each, f"{message!r} has no translation"
            assert sorted(holes.findall(each)) == sorted(holes.findall(message)), message
