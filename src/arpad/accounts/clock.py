"""Instants of accounts: UTC to the second, in ISO 8601, so that their order is that of their text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def stamp(after: timedelta = timedelta()) -> str:
    """The instant so long after now."""
    return (now() + after).isoformat()
