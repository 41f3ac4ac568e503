"""The encoded records of TRF26: time controls (222), tie-breaks (202, 212), types (192), ranking (172)."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

_STAGE = r"(?:(\d{1,3})/)?(\d{1,6})(?:\+(\d{1,5}))?"
_TIEBREAKS = frozenset(
    """
    DE WIN WON BPG BWG PS REP STD TPN BH AOB FB SB KS ARO TPR PTP APRO APPO RTNG PTS MPVGP EMMSB EMGSB EGMSB EGGSB EDE
    EDET EDEB EDEBT EDEBB SSSC BC TBR BBE
    """.split()  # noqa: SIM905 - names as the format lists them
)
_TIEBREAK = re.compile(
    r"([A-Z]+|OTHER_\w+)(?::(?:MP|GP))?(?:/(?:C\d+|M\d+|L[+-]?\d+(?:\.\d)?|K\d+|P|F|R))*", re.IGNORECASE
)
_SCORES = "(?:MP_GP|GP_MP|MP|GP)"
_SYSTEMS = (
    r"FIDE_(?:DUTCH(?:_2017|_2025|_2026)?|DUBOV|BURSTEIN|DOUBLESWISS)(?:_BAKU)?",
    r"CUSTOM_(?:SWISS|DOUBLESWISS|ROUNDROBIN|SCHILLER|SCHEVENINGEN|KNOCKOUT)",
    r"BERGER_(?:ROUNDROBIN(?:_G\d+)?|DOUBLEROUNDROBIN)|FIDE_(?:DOUBLE)?ROUNDROBIN",
    r"FIDE_SCHILLER(?:_\d+x\d+)?|FIDE_(?:SCHEVENINGEN(?:_G\d+)?|DOUBLESCHEVENINGEN)",
    rf"FIDE_TEAM(?:_(?:TYPE[AB]_)?{_SCORES})?(?:_BAKU)?|CUSTOM_TEAM_SWISS(?:_(?:MP|GP))?",
    r"BERGER_TEAM_(?:ROUNDROBIN(?:_G\d+)?|DOUBLEROUNDROBIN)|FIDE_TEAM_(?:DOUBLE)?ROUNDROBIN",
    r"CUSTOM_TEAM_(?:ROUNDROBIN|KNOCKOUT)",
)
_METHODS = frozenset(("FIDE", "NRO", "FIDON", "NIDOF", "HBFN", "LBFN", "OTHER"))


class Stage(msgspec.Struct, frozen=True):
    """So many moves (None: all that are left) in `seconds`, with `increment` seconds more a move."""

    moves: int | None
    seconds: int
    increment: int = 0


class TimeControl(msgspec.Struct, frozen=True):
    """The stages of both players; they differ only in games with unequal clocks."""

    white: tuple[Stage, ...]
    black: tuple[Stage, ...]

    @property
    def seconds(self) -> int | None:
        """What either player has for 60 moves; None if the clocks are unequal."""
        return None if self.white != self.black else _for_sixty(self.white)

    @property
    def chapter(self) -> Literal["standard", "rapid", "blitz"] | None:
        """Which of FIDE's lists such games belong to (from 2014 on); None for faster games and unequal clocks."""
        total = self.seconds
        if total is None or total <= 180:
            return None
        return "blitz" if total <= 600 else "rapid" if total < 3600 else "standard"


def _for_sixty(stages: tuple[Stage, ...]) -> int:
    total, left = 0, 60
    for stage in stages:
        moves = left if stage.moves is None else min(left, stage.moves)
        total += stage.seconds + moves * stage.increment
        left -= moves
    return total


def time_control(text: str) -> TimeControl:
    """`40/6000+30:900+30`, `5400+30`, or `W300-B240` for unequal clocks. Raises ValueError."""
    plain = "".join(text.split())
    match = re.fullmatch(r"W([^-]+)-B([^-]+)", plain, re.IGNORECASE)
    white, black = (match[1], match[2]) if match else (plain, plain)
    return TimeControl(_stages(white, text), _stages(black, text))


def _stages(text: str, whole: str) -> tuple[Stage, ...]:
    matches = [re.fullmatch(_STAGE, part, re.ASCII) for part in text.split(":")]
    stages = [Stage(int(each[1]) if each[1] else None, int(each[2]), int(each[3] or 0)) for each in matches if each]
    if len(stages) < len(matches) or any(stage.moves is None for stage in stages[:-1]):
        raise ValueError(f"{whole!r} is no time control such as 5400+30 or 40/6000+30:900+30")
    return tuple(stages)


def unknown_tiebreaks(names: tuple[str, ...]) -> list[str]:
    """Those that the format does not define; OTHER_… is whatever the organiser says."""
    found = []
    for name in names:
        match = _TIEBREAK.fullmatch(name)
        base = match[1].upper() if match else ""
        if base not in _TIEBREAKS and not base.startswith("OTHER_"):
            found.append(name)
    return found


def is_system(text: str) -> bool:
    """Whether a type of tournament is one that the format defines."""
    return any(re.fullmatch(pattern, text, re.IGNORECASE) for pattern in _SYSTEMS)


def is_method(text: str) -> bool:
    """Whether record 172 has a federation and one of the codes for starting ranks."""
    federation, _, code = text.partition(" ")
    return len(federation) == 3 and code.strip().upper() in _METHODS
