"""The tables of an office, as numbered migrations. A migration that was released is never changed.

Calendar days are ordinals (`date.toordinal()`, 0 = unknown), birth dates year * 10000 + month * 100 + day with zeros
where unknown, instants UTC in ISO 8601. Ids are given by the program, so that both databases are told the same.
"""

from __future__ import annotations

from arpad.errors import LedgerError
from arpad.ledger.store import Store

#: Each is a list of statements; the first migration makes version 1.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        # What was said. `reason` is the seal of the reason, whose words lie in `aside`.
        """create table entry (seq integer primary key, at text not null, actor text not null, kind text not null,
        reason text not null, body text not null, prev text not null, hash text not null unique)""",
        # Words and personal facts that an entry seals: entry.body has their digests; a row may be erased.
        """create table aside (entry integer not null references entry (seq), subject text not null, salt text not null,
        words text not null, primary key (entry, subject))""",
        "create index aside_subject on aside (subject)",
        # From here on: what the entries come to. Everything can be made anew from the tables above.
        """create table list (id integer primary key, name text not null unique, rules text not null,
        settings text not null, digest text not null, pool text not null, base integer not null,
        revision integer not null, entry integer not null)""",
        """create table person (id integer primary key, merged integer references person (id) check (merged <> id),
        revision integer not null default 1, entry integer not null)""",
        "create index person_merged on person (merged) where merged is not null",
        """create table name (person integer primary key references person (id), name text not null,
        born integer not null)""",
        # A player's federation from a day on (0: as long as is known).
        """create table federation (person integer not null references person (id), since integer not null,
        code text not null, primary key (person, since))""",
        """create table title (person integer not null references person (id), since integer not null,
        code text not null, primary key (person, since))""",
        # Who may see a field of a person; person 0: of everybody of whom nothing else is said.
        """create table visibility (person integer not null, field text not null, level text not null,
        primary key (person, field))""",
        """create table alias (person integer not null references person (id), name text not null,
        primary key (person, name))""",
        """create table spelling (folded text not null, person integer not null references person (id),
        primary key (folded, person))""",
        """create table identifier (body text not null, number text not null,
        person integer not null references person (id), primary key (body, number))""",
        "create index identifier_person on identifier (person)",
        """create table report (id integer primary key, digest text not null, source text not null,
        size integer not null, content blob, state text not null check (state in ('staged', 'accepted', 'refused')),
        entry integer not null)""",
        # Reports from which somebody was erased: the digest of what is left; blank: nothing is.
        "create table redaction (report integer primary key references report (id), sha256 text not null)",
        "create unique index report_digest on report (digest) where state <> 'refused'",
        """create table event (id integer primary key, key bigint not null unique, pool text not null,
        name text not null, starts integer not null, ends integer not null, rated integer not null,
        loose integer not null, fingerprint text not null, report integer not null references report (id),
        revision integer not null, entry integer not null,
        check (starts >= 0 and ends >= starts or starts = 0 and ends = 0))""",
        "create index event_fingerprint on event (fingerprint)",
        """create table game (id integer primary key, key bigint not null, event integer not null,
        round integer not null check (round >= 0), board integer not null check (board >= 0),
        nth integer not null check (nth >= 0), first integer not null, second integer not null,
        score double precision, other double precision, day integer not null check (day >= 0), more text not null,
        voided integer not null check (voided in (0, 1)), revision integer not null, entry integer not null,
        constraint not_against_oneself check (first <> second),
        constraint possible_result check ((score is null) = (other is null) and
        (score is null or score >= 0 and other >= 0 and score <= 1 and other <= 1 and score + other <= 1)))""",
        # One game a pair, round and event: a game counts once on the lists that the event belongs to.
        """create unique index game_once on game (event, round, (case when first < second then first else second end),
        (case when first < second then second else first end), nth) where voided = 0""",
        "create index game_day on game (day)",
        # Games that were reported with an id of their own; the games of one contest share it.
        "create table given (game integer primary key, id text not null)",
        "create index given_id on given (id, game)",
        "create index game_void on game (id) where voided = 1",
        """create table act (id integer primary key, list integer not null references list (id),
        person integer not null references person (id), kind text not null check
        (kind in ('entry', 'blend', 'adjustment', 'floor')), day integer not null, rating double precision,
        games integer, category text not null, deviation double precision, voided integer not null,
        revision integer not null, entry integer not null)""",
        # Made from games, in the same transaction: columns of so many games each.
        "create table pack (chunk integer primary key, body blob not null)",
        """create table publication (list integer not null references list (id), day integer not null,
        content blob not null, sha256 text not null, entry integer not null, primary key (list, day))""",
        # The texts of rulebooks that lists took, by their digest; kept bytes, as publications are.
        "create table rulebook (digest text primary key, file text not null, content blob not null)",
        # States that a replay left, and the entry up to which it went.
        """create table standing (list integer primary key references list (id), seq integer not null,
        rules text not null, fields text not null, persons blob not null, state blob not null, sha256 text not null)""",
    ),
    (
        # What a correction did to exact ratings when it was made (null: unrated), for who reads of it later.
        """create table effect (entry integer not null references entry (seq), list integer not null,
        person integer not null, before double precision, after double precision, primary key (entry, list, person))""",
        "create index effect_person on effect (person)",
    ),
    (
        # Who may do what. Names and instants as in `arpad.accounts`; of secrets only digests, but for the key of a
        # second factor (blank: none), of which `step` is the last one used.
        """create table account (id integer primary key, name text not null, folded text not null unique,
        role text not null check (role in ('member', 'reporter', 'officer', 'admin')),
        person integer references person (id), disabled integer not null check (disabled in (0, 1)),
        password text not null, key text not null, step bigint not null, made text not null)""",
        """create table session (digest text primary key, account integer not null references account (id),
        began text not null, seen text not null, address text not null)""",
        "create index session_account on session (account)",
        """create table token (id integer primary key, account integer not null references account (id),
        name text not null, digest text not null unique, scopes text not null, made text not null,
        expires text not null, used text not null, revoked integer not null check (revoked in (0, 1)))""",
        "create index token_account on token (account)",
        """create table invite (digest text primary key, account integer not null references account (id),
        expires text not null)""",
        # Attempts to sign in.
        """create table attempt (id integer primary key, at text not null, name text not null,
        account integer references account (id), outcome text not null check (outcome in ('right', 'wrong')),
        address text not null)""",
        "create index attempt_name on attempt (name, at)",
        "create index attempt_address on attempt (address, at)",
        "create index attempt_account on attempt (account)",
    ),
    (
        # Answers to requests that may be sent again, by account and key; status 0: not answered yet.
        """create table idempotency (account integer not null, key text not null, digest text not null,
        at text not null, status integer not null, headers text not null, body blob not null,
        primary key (account, key))""",
    ),
    (
        # Who wants to be told of what is written into the log, and up to which entry they were.
        """create table webhook (id integer primary key, account integer not null, url text not null,
        secret text not null, events text not null, entry integer not null, at text not null)""",
        """create table delivery (id text primary key, webhook integer not null references webhook (id),
        entry integer not null, event text not null, body text not null, state text not null
        check (state in ('waiting', 'delivered', 'dead')), attempts integer not null, due text not null,
        status integer, error text not null)""",
        "create index delivery_due on delivery (due) where state = 'waiting'",
        "create index delivery_webhook on delivery (webhook, entry)",
    ),
    (
        # Lists on which matches are reported by who played them, and how.
        """create table ladder (list integer primary key references list (id), open integer not null
        check (open in (0, 1)), reporters text not null check (reporters in ('players', 'reporters')),
        hours integer, draws integer not null check (draws in (0, 1)))""",
        # What was reported. Scores are the first player's; `low` and `high` are the pair, to find a match said twice;
        # `due` is the instant from which on it confirms itself, blank: never; `said` is what the other player says.
        """create table ladder_match (id integer primary key, list integer not null references list (id),
        first integer not null references person (id), second integer not null references person (id),
        low integer not null, high integer not null, day integer not null, number integer not null,
        score double precision not null, note text not null, state text not null check
        (state in ('reported', 'confirmed', 'disputed', 'settled', 'dropped', 'withdrawn')), key text not null unique,
        at text not null, actor text not null, reporter integer not null, account integer not null,
        due text not null, dispute text not null, said double precision, final double precision,
        decided text not null, decider text not null, game integer not null)""",
        """create unique index ladder_once on ladder_match (list, low, high, day, number)
        where state not in ('dropped', 'withdrawn')""",
        "create index ladder_due on ladder_match (state, due)",
        """create table ladder_season (list integer not null references list (id), day integer not null,
        at text not null, name text not null, way text not null, entry integer not null, act integer not null,
        acts integer not null, primary key (list, day, at))""",
    ),
    (
        # Each state that a match came to, with the last entry of the log then; and up to which each hook was told.
        """create table ladder_step (id integer primary key, held integer not null references ladder_match (id),
        state text not null, entry integer not null, at text not null)""",
        "alter table webhook add column step integer not null default 0",
    ),
    (
        # Who is at work on a request, and the last entry when it was carried out; status 1: it was, and not answered.
        "alter table idempotency add column holder text not null default ''",
        "alter table idempotency add column entry integer not null default 0",
    ),
)

#: Tables that no entry tells of: a backup has them, a bundle has not. In an order in which they can be filled.
BESIDE = (
    *("effect", "account", "session", "token", "invite", "attempt", "idempotency", "webhook", "delivery"),
    *("ladder", "ladder_match", "ladder_season", "ladder_step"),
)

#: What keeps entries and publications as they are, whoever is at the database.
GUARDED = ("entry", "publication")


def version(store: Store) -> int:
    """The version of an office's tables; 0 where there are none. Raises LedgerError for what is no office."""
    if store.dialect == "sqlite":
        known = "select count(*) from sqlite_master where name = 'meta'"
    else:
        known = (
            "select count(*) from information_schema.tables where table_name = 'meta' and table_schema = current_schema"
        )
    if not store.value(known):
        return 0
    found = store.value("select value from meta where key = 'version'")
    if found is None or not str(found).isdecimal():
        raise LedgerError(f"{store.place} holds another program's tables")
    return int(found)


def vacant(store: Store) -> bool:
    """Whether there is nothing at all where an office could be made."""
    if store.dialect == "sqlite":
        return not store.value("select count(*) from sqlite_master")
    return version(store) == 0


def migrate(store: Store) -> None:
    """Bring an office's tables up to this program's version. Raises LedgerError for a newer office."""
    if version(store) == len(MIGRATIONS):
        return
    with store.writing():
        now = version(store)
        if now > len(MIGRATIONS):
            raise LedgerError(
                f"{store.place} was written by a newer arpad (version {now} of its tables; this one knows "
                f"{len(MIGRATIONS)}): nothing was done"
            )
        if now == 0:
            store.define("create table meta (key text primary key, value text not null)")
            store.run("insert into meta values ('version', '0')")
        for number in range(now, len(MIGRATIONS)):
            for statement in MIGRATIONS[number]:
                store.define(statement)
            if number == 0:
                _guard(store)
        store.run("update meta set value = ? where key = 'version'", (str(len(MIGRATIONS)),))


def _guard(store: Store) -> None:
    if store.dialect == "postgresql":
        store.define(
            """create function arpad_keep() returns trigger language plpgsql as
            'begin raise exception ''% is never changed'', tg_table_name; end'"""
        )
    for table in GUARDED:
        for what in ("update", "delete"):
            if store.dialect == "postgresql":
                store.define(
                    f"create trigger {table}_{what} before {what} on {table} for each row execute function arpad_keep()"
                )
            else:
                store.define(
                    f"create trigger {table}_{what} before {what} on {table} "
                    f"begin select raise(abort, '{table} is never changed'); end"
                )
