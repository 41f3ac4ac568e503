"""What every clause of a rulebook may carry."""

from __future__ import annotations

from typing import Literal

import msgspec


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    article: str = ""
    source: str = ""
    status: Literal["", "unsure"] = ""
    text: dict[str, str] = {}

    @property
    def unused(self) -> tuple[str, ...]:
        """Fields that have no say beside what the others are."""
        return ()
