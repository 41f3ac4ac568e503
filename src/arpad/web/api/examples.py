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
    "entry": 1,
    "number": 1,
    "organisation": "fide",
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
}
