"""One way to SQLite and to PostgreSQL: portable SQL with `?`, transactions, and one writer at a time.

    store = open_store("office.db")                      # or postgresql://user@host/name
    with store.writing():
        store.run("insert into meta values (?, ?)", ("a", "b"))

A transaction that was left without an error is on the disk. A write waits its turn; whoever waits longer than
`PATIENCE` is told so by `Busy`.
"""

from __future__ import annotations

import os
import re
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

from arpad.errors import ArpadError, Busy, DataError, LedgerError, UsageError
from arpad.model import Problem

Row: TypeAlias = "tuple[Any, ...]"

#: Seconds that a writer waits for another one.
PATIENCE = 30.0
#: PostgreSQL's advisory lock of an office's writer: the letters "arpd" as a number.
LOCK = 0x61727064
#: Rows from which on PostgreSQL takes them by COPY.
MANY = 500

#: What the database's constraints say no to, by a word in its message.
BROKEN = {
    "not_against_oneself": "a player cannot play against themselves",
    "possible_result": "a game's scores lie between 0 and 1, and their sum is no more than 1",
    "game_once": "these two have a game in this round of this event already",
    "game.event": "these two have a game in this round of this event already",
    "identifier": "this identifier is another person's",
    "report_digest": "this report was handed in before",
    "list.name": "there is a list of this name",
    "starts": "an event cannot end before it begins",
    "event_check": "an event cannot end before it begins",
}


def _broken(error: Exception) -> DataError:
    """What a constraint of the database refused, in words."""
    said = str(error).partition("DETAIL")[0].strip()
    return DataError([Problem(next((words for word, words in BROKEN.items() if word in said), said))])


#: What SQLite's library raises, of texts too that are none: names of tables, and what it would say of them.
DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)
#: What the databases' libraries raise for a value before they ask the database.
UNHOLDABLE = (OverflowError, UnicodeEncodeError)


class Store(ABC):
    """A connection to an office's database. Not to be shared between threads."""

    dialect = ""
    #: What the database's library raises.
    errors: tuple[type[Exception], ...] = ()

    def __init__(self, place: str, connection: Any, patience: float) -> None:
        self.place = place
        self.connection = connection
        self.patience = patience
        self.depth = 0
        self.writes = False
        self.failed = False  # a part of the transaction was left with an error
        self.along: Callable[[], None] = lambda: None  # what each transaction that is kept writes at its end
        self._read: dict[Hashable, list[Row]] = {}  # what this transaction was told: see `again`

    @abstractmethod
    def run(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """Carry out one statement; returns the cursor."""

    @abstractmethod
    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Many rows into a table."""

    @abstractmethod
    def define(self, sql: str) -> None:
        """A statement of the schema."""

    @abstractmethod
    def begin(self, write: bool) -> None:
        """Begin a transaction; one that writes waits for the writer's lock."""

    @abstractmethod
    def said(self, error: Any) -> ArpadError:
        """What the database's library raised, in words."""

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        return list(self._fetched(self.run(sql, values).fetchall))

    def again(self, sql: str, values: Sequence[Any] = ()) -> list[Row]:
        """Rows that are asked for time and again: a transaction that only reads asks once, since it sees one state."""
        key = sql, *values
        if key not in self._read or self.writes or not self.depth:
            self._read[key] = self.rows(sql, values)
        return self._read[key]

    def row(self, sql: str, values: Sequence[Any] = ()) -> Row | None:
        found = self._fetched(self.run(sql, values).fetchone)
        return None if found is None else tuple(found)

    def portions(self, sql: str, size: int) -> Iterator[list[Row]]:
        """Rows in lists of so many, and then empty ones."""
        cursor = self.run(sql)
        while True:
            yield self._fetched(cursor.fetchmany, size)

    def _fetched(self, fetch: Callable[..., Any], *sizes: int) -> Any:
        try:
            return fetch(*sizes)
        except self.errors as error:
            raise self.said(error) from None

    def value(self, sql: str, values: Sequence[Any] = ()) -> Any:
        """The first value of the first row; None without a row."""
        return (self.row(sql, values) or (None,))[0]

    def among(self, sql: str, keys: Iterable[Any], before: Sequence[Any] = ()) -> Iterator[Row]:
        """Rows of a statement with `in (…)` written as `in ?`, asked in portions; `before` are the values before it."""
        left = list(dict.fromkeys(keys))
        for start in range(0, len(left), MANY):
            part = left[start : start + MANY]
            yield from self.rows(sql.replace("in ?", f"in ({', '.join('?' * len(part))})"), [*before, *part])

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction of the one writer: all of it is kept, or none. Inside another one it is a part of that.
        Raises Busy if another writer does not finish in time."""
        with self._transaction(True, keep=True):
            yield

    @contextmanager
    def trying(self) -> Iterator[None]:
        """A transaction of which nothing is kept."""
        if self.depth:
            raise LedgerError("a trial inside a transaction would undo it all")
        with self._transaction(True, keep=False):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A transaction that sees one state of the office throughout."""
        with self._transaction(False, keep=False):
            yield

    @abstractmethod
    def apart(self) -> AbstractContextManager[Store]:
        """A store that holds the same, to try things in, of which nothing is kept: whoever writes does not wait for it.
        In PostgreSQL whoever changes the very rows that are changed here does wait."""

    @contextmanager
    def _transaction(self, write: bool, keep: bool) -> Iterator[None]:
        if self.depth:
            if write and not self.writes:
                raise LedgerError("a part that writes inside a transaction that only reads would be lost")
            self.depth += 1
            try:
                yield
            except BaseException:
                self.failed |= write
                raise
            finally:
                self.depth -= 1
            return
        self.begin(write)
        self.depth, self.writes, self.failed = 1, write, False
        self._read.clear()
        try:
            yield
            if keep and self.failed:
                raise LedgerError("a part of this transaction failed: nothing of it is kept")
            if keep:
                self.along()
                self.commit()
        except BaseException:
            with suppress(LedgerError):  # the database may have undone it all itself, as where the disk is full
                self.run("rollback")
            raise
        else:
            if not keep:
                self.run("rollback")
        finally:
            self.depth = 0

    def commit(self) -> None:
        self.run("commit")

    def close(self) -> None:
        self.connection.close()


class SQLite(Store):
    dialect = "sqlite"
    errors = DAMAGED

    def run(self, sql: str, values: Sequence[Any] = ()) -> Any:
        try:
            return self.connection.execute(sql, _without_nul(values))
        except DAMAGED as error:
            raise self.said(error) from None
        except UNHOLDABLE as error:
            raise _unholdable(error, values) from None

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        marks = ", ".join("?" * len(columns))
        try:
            sql = f"insert into {table} ({', '.join(columns)}) values ({marks})"
            self.connection.executemany(sql, map(_without_nul, rows))
        except sqlite3.DatabaseError as error:
            raise self.said(error) from None
        except UNHOLDABLE as error:
            raise _unholdable(error) from None

    def define(self, sql: str) -> None:
        self.run(sql)

    def begin(self, write: bool) -> None:
        self.run("begin immediate" if write else "begin")

    @contextmanager
    def apart(self) -> Iterator[Store]:
        # Without a name it lies in memory, what is too large for that in a file that nobody sees.
        with closing(sqlite3.connect("", isolation_level=None)) as connection:
            copy = SQLite(self.place, connection, self.patience)
            try:
                self.connection.backup(connection)
            except DAMAGED as error:
                raise self.said(error) from None
            with copy.trying():
                yield copy

    def said(self, error: Any) -> ArpadError:
        if isinstance(error, sqlite3.IntegrityError):
            return _broken(error)
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return _busy(self)
        return LedgerError(f"{self.place}: {error}")


class PostgreSQL(Store):
    dialect = "postgresql"

    def __init__(self, place: str, connection: Any, patience: float) -> None:
        import psycopg

        super().__init__(place, connection, patience)
        self.errors = (psycopg.Error,)

    def run(self, sql: str, values: Sequence[Any] = ()) -> Any:
        try:
            return self.connection.execute(sql.replace("?", "%s") if values else sql, values or None)
        except self.errors as error:
            raise self.said(error) from None
        except UNHOLDABLE as error:
            raise _unholdable(error, values) from None

    def among(self, sql: str, keys: Iterable[Any], before: Sequence[Any] = ()) -> Iterator[Row]:
        # One array in place of hundreds of marks, each of which costs the library time.
        wanted = list(dict.fromkeys(keys))
        if wanted:
            yield from self.rows(sql.replace("in ?", "= any(?)"), [*before, wanted])

    def insert(self, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        sql = f"copy {table} ({', '.join(columns)}) from stdin"
        try:
            with self.connection.cursor() as cursor, cursor.copy(sql) as copy:
                for row in rows:
                    copy.write_row(row)
        except self.errors as error:
            raise self.said(error) from None
        except UNHOLDABLE as error:
            raise _unholdable(error) from None

    def define(self, sql: str) -> None:
        # Text is compared by its code points, as in SQLite, whatever the database's locale.
        self.run(re.sub(r"\bblob\b", "bytea", re.sub(r"\btext\b", 'text collate "C"', sql)))

    def begin(self, write: bool) -> None:
        self.run("begin isolation level read committed" if write else "begin isolation level repeatable read")
        if write:
            try:
                self.run(f"set local lock_timeout = {max(1, int(self.patience * 1000))}")  # 0 would be for ever
                # What is acknowledged is on the disk, also on a server that need not be so careful with others.
                careful = "set_config('synchronous_commit', 'on', true)"
                self.run(f"select case current_setting('synchronous_commit') when 'off' then {careful} end")
                self.run("select pg_advisory_xact_lock(?)", (LOCK,))
            except BaseException:
                with suppress(LedgerError):  # there may be no connection any more
                    self.run("rollback")
                raise

    @contextmanager
    def apart(self) -> Iterator[Store]:
        if self.depth:
            raise LedgerError("a trial inside a transaction would undo it all")
        with self.reading():
            self.writes = True
            yield self

    def commit(self) -> None:
        # After an error, even one that somebody caught, PostgreSQL takes a commit for a rollback without a word.
        if self.run("commit").statusmessage != "COMMIT":
            raise LedgerError(f"{self.place}: a statement of this transaction failed: nothing of it is kept")

    def said(self, error: Any) -> ArpadError:
        import psycopg

        if isinstance(error, psycopg.errors.LockNotAvailable):
            return _busy(self)
        if isinstance(error, psycopg.errors.IntegrityError):
            return _broken(error)
        if isinstance(error, psycopg.DataError):
            return _unholdable(error)
        return LedgerError(f"{self.place}: {error}")


def _without_nul(values: Sequence[Any]) -> Sequence[Any]:
    """Values, of which no text has a NUL character: PostgreSQL keeps none, and an office goes from each database to the
    other. Raises UsageError."""
    for value in values:
        if type(value) is str and "\0" in value:
            raise UsageError("a value that cannot be kept: text with a NUL character")
    return values


def _unholdable(error: Exception, values: Sequence[Any] = ()) -> UsageError:
    """A value that no database takes: a number beyond 64 bits, half of a surrogate pair."""
    large = next((value for value in values if isinstance(value, int) and abs(value) >> 63), None)
    return UsageError(f"there is nothing with the number {large}" if large else f"a value that cannot be kept: {error}")


def _busy(store: Store) -> Busy:
    text = f"somebody else is writing, and was not done after {store.patience:g} s; try again"
    return Busy(f"{store.place}: {text}")


def is_url(place: str) -> bool:
    return place.startswith(("postgresql://", "postgres://"))


def open_store(place: str | os.PathLike[str], *, create: bool = False, patience: float = PATIENCE) -> Store:
    """A connection to the database at a path or a postgresql:// URL; `create` makes a file that is not there.

    Raises UsageError for a path without an office, or a URL without the library for it; LedgerError where the
    database cannot be opened.
    """
    where = os.fspath(place)
    if not where.strip():
        raise UsageError("an office needs a name: a file, or postgresql://…")
    if is_url(where):
        return _postgresql(where, patience)
    if where != ":memory:" and not create and not os.path.isfile(where):
        raise UsageError(f"there is no office at {where}; `arpad init` makes one")
    try:
        sealed = where != ":memory:" and _read_only(where)
        name = f"{Path(where).resolve().as_uri()}?mode=ro&immutable=1" if sealed else where
        connection = sqlite3.connect(name, timeout=patience, isolation_level=None, cached_statements=256, uri=sealed)
        store = SQLite(where, connection, patience)
        tables = {name for (name,) in connection.execute("select name from sqlite_master")}
        if not sealed and (not tables or "entry" in tables):  # another program's file stays as it is
            connection.execute("pragma journal_mode=wal")
        for pragma in ("synchronous=full", "foreign_keys=on", "cache_size=-65536"):
            connection.execute(f"pragma {pragma}")
    except sqlite3.OperationalError as error:
        raise LedgerError(f"{where}: {error}") from None
    except DAMAGED as error:
        raise LedgerError(f"{where} is no office: {error}") from None
    return store


def _read_only(where: str) -> bool:
    """Whether a file lies on media where nobody writes: it can then be read as it is. Beside one that was left in the
    midst of its work lies what it needs, and must be opened as it was."""
    folder = os.path.dirname(os.path.abspath(where))
    effective = os.access in os.supports_effective_ids
    if not os.path.isfile(where) or any(os.access(each, os.W_OK, effective_ids=effective) for each in (where, folder)):
        return False
    return not os.path.exists(f"{where}-wal")


def _postgresql(url: str, patience: float) -> Store:
    try:
        import psycopg
    except ImportError:
        raise UsageError("an office on PostgreSQL needs psycopg: pip install 'arpad[postgresql]'") from None
    shown = re.sub(r"(//[^:/@]*):[^@]*@", r"\1:…@", url)
    try:
        connection = psycopg.connect(url, autocommit=True)
    except psycopg.Error as error:
        raise LedgerError(f"{shown}: {error}") from None
    return PostgreSQL(shown, connection, patience)
