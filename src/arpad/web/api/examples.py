"""Examples of the document: what stands in a path, and what is sent. A test sends each of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: What stands for a part of a path, by its name.
PATHS: Mapping[str, Any] = {
    "name": "standard",
    "day": "2025-04-01",
    "person": 1,
    "event": 1,
    "game": 1,
    "entry": 9,
    "rulebook": "elo",
    "organisation": "fide",
    "who": "1",
    "number": 1,
    "hook": 1,
    "delivery": "1-9",
}
#: What else is asked with, or stands in a path, by method and path below `/api/v1`.
QUERIES: Mapping[str, Mapping[str, Any]] = {
    "GET /rulebooks/{organisation}/{rulebook}": {"rulebook": "standard", "date": "2025-10-01", "since": "2024-03-01"},
    "GET /lists/{name}/around": {"person": 3},
    "GET /lists/{name}/rank": {"rating": 1900},
    "GET /jobs/{number}": {"number": 1796092278},
    "GET /players": {"q": "muller"},
    "GET /compare": {"players": "1,2"},
}
#: What is sent, by method and path below `/api/v1`.
BODIES: Mapping[str, Any] = {
    "POST /reports/{number}/accept": {"ids": "club", "people": {"777": 5, "M. Rossi": 0}, "reason": "by telephone"},
    "POST /reports/{number}/refuse": {"reason": "line 4 has a result that is none"},
    "POST /corrections:preview": {"change": {"kind": "game", "game": 1, "result": "1/2-1/2"}},
    "POST /corrections": {
        "change": {"kind": "game", "game": 1, "result": "1/2-1/2"},
        "reason": "the arbiter's letter",
    },
    "POST /corrections/{entry}/revert": {"reason": "the letter was forged"},
    "POST /merges:preview": {"person": 1, "other": 2},
    "POST /merges": {"person": 1, "other": 2, "reason": "one person, registered twice"},
    "POST /splits:preview": {"person": 2},
    "POST /splits": {"person": 2, "reason": "two people after all"},
    "POST /publications:preview": {"date": "2025-07-01"},
    "POST /publications": {"date": "2025-07-01"},
    "POST /expected": {"own": {"rating": 1890}, "opponent": {"rating": 1771}, "rules": "fide/standard"},
    "POST /performance": {"opponents": [1609, 1477, None, 1586], "results": [0, 0.5, 1, 1], "method": "all"},
    "POST /whatif": {
        "rating": 1950,
        "rules": "fide/standard",
        "date": "2025-10-01",
        "played": 80,
        "games": [{"rating": 1850, "score": 1}, {"rating": 2010, "score": 0.5}, {"rating": 2100}],
        "target": 1965,
    },
    "POST /jobs": {"kind": "verify"},
    "POST /webhooks": {"url": "https://example.org/arpad", "events": ["publication", "match.confirmed"]},
    "POST /accounts": {"name": "Rosa", "role": "reporter"},
    "PATCH /accounts/{number}": {"role": "reporter"},
}
