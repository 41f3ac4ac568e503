"""Where each page is. Links do not change: ids and dates, never positions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import lru_cache, partial
from typing import Any
from urllib.parse import quote, quote_plus

#: Paths of pages by name, below the language.
PLACES: Mapping[str, str] = {
    "home": "/",
    "list": "/lists/{list}",
    "list-file": "/lists/{list}/file/{kind}",
    "records": "/lists/{list}/records",
    "distribution": "/lists/{list}/distribution",
    "development": "/lists/{list}/development",
    "people": "/players",
    "player": "/players/{person}",
    "workings": "/workings/{person}",
    "compare": "/compare",
    "events": "/events",
    "event": "/events/{event}",
    "event-report": "/events/{event}/report",
    "event-table": "/events/{event}/crosstable/{kind}",
    "corrections": "/corrections",
    "correction": "/corrections/{entry}",
    "whatif": "/whatif",
    "performance": "/performance",
    "expected": "/expected",
    "rulebooks": "/rules",
    "rulebook": "/rules/{rules}",
    "help": "/help",
    "topic": "/help/{topic}",
    "api": "/api",
    "api-try": "/api/try/{operation}",
    "sign-in": "/sign-in",
    "sign-out": "/sign-out",
    "invite": "/invites/{secret}",
    "account": "/account",
    "password": "/account/password",
    "code": "/account/code",
    "code-confirm": "/account/code/confirm",
    "code-end": "/account/code/end",
    "tokens": "/account/tokens",
    "token": "/account/tokens/{token}/revoke",
    "session": "/account/sessions/{session}/end",
    "accounts": "/desk/accounts",
    "accounts-account": "/desk/accounts/{account}",
    "desk": "/desk",
    "desk-reports": "/desk/reports",
    "desk-report": "/desk/reports/{report}",
    "desk-file": "/desk/reports/{report}/file",
    "desk-repair": "/desk/reports/{report}/repair",
    "desk-changes": "/desk/changes",
    "desk-game": "/desk/games/{game}",
    "desk-event": "/desk/events/{event}",
    "desk-act": "/desk/acts/{act}",
    "desk-people": "/desk/people",
    "desk-person": "/desk/people/{person}",
    "desk-log": "/desk/log",
    "desk-entry": "/desk/log/{entry}",
    "desk-publish": "/desk/publish",
    "desk-published": "/desk/published",
    "desk-compare": "/desk/compare",
    "desk-jobs": "/desk/jobs",
    "desk-job": "/desk/jobs/{job}",
    "desk-backup": "/desk/backup",
    "ladder": "/ladder/{list}",
    "ladder-report": "/ladder/{list}/report",
    "ladder-match": "/ladder/{list}/matches/{match}",
    "desk-ladder": "/desk/ladder",
    "desk-ladder-list": "/desk/ladder/{list}",
    "desk-season": "/desk/ladder/{list}/season",
}


#: What is to be filled in of each path.
NAMES: Mapping[str, frozenset[str]] = {
    place: frozenset(re.findall(r"\{(\w+)\}", path)) for place, path in PLACES.items()
}


class ServedLinks:
    """What templates ask for the address of a page, of what is vendored, and of the same page in another language or
    otherwise. `path` and `query` are of the page that is shown, without its language."""

    def __init__(self, language: str, path: str, query: Mapping[str, str], assets: Mapping[str, str]) -> None:
        self.language = language
        self.path = path
        self.query = query
        self.assets = assets

    def __call__(self, place: str, /, **values: Any) -> str:
        return _address(self.language, place, **values)

    def here(self, **changes: Any) -> str:
        """This page with some of its query otherwise."""
        return f"/{self.language}{self.path}{_asked({**self.query, **changes})}"

    def here_as(self, place: str, /, **values: Any) -> str:
        """Another page with the query of this one."""
        kept = {name: value for name, value in self.query.items() if name != "start"}
        return self(place, **{**kept, **values})

    def static(self, name: str) -> str:
        return f"/static/{name}?v={self.assets[name]}"

    def translated(self, language: str) -> str:
        return f"/{language}{self.path}{_asked(self.query)}"


@lru_cache(10_000, typed=True)
def _address(language: str, place: str, /, **values: Any) -> str:
    """Where a page is. A page has dozens of links, most of them the same as on others."""
    pattern, names = PLACES[place], NAMES[place]
    inside = {name: _step(value) for name, value in values.items() if name in names}
    rest = {name: value for name, value in values.items() if name not in names}
    return f"/{language}{pattern.format(**inside)}{_asked(rest)}"


def _asked(values: Mapping[str, Any]) -> str:
    """A query string without what is blank."""
    said = [
        f"{_quoted(name)}={value if type(value) is int else _quoted(_text(value))}"
        for name, value in values.items()
        if value is not None and value != "" and value is not False
    ]
    return f"?{'&'.join(said)}" if said else ""


def _step(value: Any) -> Any:
    """A part of a path, between slashes."""
    return value if type(value) is int else _inside(_text(value))


def _text(value: Any) -> str:
    if value is True:
        return "1"
    return value.isoformat() if isinstance(value, date) else str(value)


# A page's links say the same few names and values, and to quote one takes longer than the rest of its link.
_quoted = lru_cache(1_000)(quote_plus)
_inside = lru_cache(1_000)(partial(quote, safe=""))
