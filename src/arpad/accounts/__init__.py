"""Accounts: who may do what in an office, and how they show that it is them.

`book` keeps accounts and their roles, `passwords` and `invites` how an account gets its password, `signing` lets people
in and logs it, `codes` are a second factor, `sessions` keep them in, `tokens` let programs in. Nothing of it is in the
chain, which names accounts by number: accounts are rows that can be changed and erased. Of passwords,
sessions, tokens and invites only digests are kept.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

Role: TypeAlias = Literal["public", "member", "reporter", "officer", "admin"]

#: Each may do what those before may.
ROLES: tuple[Role, ...] = ("public", "member", "reporter", "officer", "admin")


def at_least(role: Role, needed: Role) -> bool:
    """Whether a role may do what another one may."""
    return ROLES.index(role) >= ROLES.index(needed)
