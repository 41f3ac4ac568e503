"""A folder that is a site: written aside first, then changed where it differs, so that nobody ever finds half a page.

    with Folder("public") as folder:
        folder.put("en/index.html", content)
        folder.publish()

What is new comes first, then what reads otherwise, and what is gone goes last: links lead somewhere at every moment,
and after a writing that was interrupted, too. What else lies in the folder stays.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path
from types import TracebackType

from arpad.errors import ArpadError, Busy, UsageError

#: Where a folder says that it is a site.
MARK = "site.json"
#: Where pages lie until all of them are there.
ASIDE = ".writing"
#: The lock in it, which a process that is no more does not hold.
LOCK = "lock"


class Folder:
    """A folder while a site is written into it. `own` are the names in it that are the site's, and nobody else's.

    Raises UsageError for a folder that holds something and is no site, Busy where another process writes it.
    """

    def __init__(self, place: str | os.PathLike[str], own: Collection[str]) -> None:
        self.place, self.own = Path(place), own
        self.aside = self.place / ASIDE
        self.names: set[str] = set()

    def __enter__(self) -> Folder:
        if not self.place.absolute().parent.is_dir():
            raise UsageError(f"there is no folder {self.place.absolute().parent}")
        if self.place.exists() and not self._is_site():
            raise UsageError(f"{self.place} is there already, and is no site: nothing was written")
        self.made = not self.place.exists()
        self.aside.mkdir(parents=True, exist_ok=True)
        self.lock = sqlite3.connect(self.aside / LOCK, timeout=0, isolation_level=None)
        try:
            self.lock.execute("begin exclusive")  # which ends with the process, however that ends
        except sqlite3.OperationalError:
            self.lock.close()
            raise Busy(f"another process is writing {self.place}; nothing was written") from None
        for path in self.aside.iterdir():  # of a writing that was interrupted
            if path.name != LOCK:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        shutil.rmtree(self.aside, ignore_errors=True)
        self.lock.close()
        if self.made and not any(self.place.iterdir()):
            self.place.rmdir()

    def _is_site(self) -> bool:
        if not self.place.is_dir():
            return False
        return (self.place / MARK).is_file() or {path.name for path in self.place.iterdir()} <= {ASIDE}

    def put(self, name: str, content: bytes) -> None:
        """A file of the site, as it will be if it is not put again."""
        path = self.aside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.names.add(name)

    def held(self, name: str) -> str:
        """The text of a file that was put."""
        return (self.aside / name).read_text(encoding="utf-8")

    def publish(self) -> tuple[int, int, int]:
        """Make the folder the site that was put: how many files are new, were changed, and are gone. Those that read as
        before are not touched. Raises ArpadError where the folder does not take it."""
        there = {name: self.place / name for name in self.names}
        added = [name for name, path in there.items() if not path.is_file()]
        changed = [name for name in self.names.difference(added) if not self._reads_as_before(name)]
        gone = [path for path in self._files() if path.relative_to(self.place).as_posix() not in self.names]
        try:
            for name in [*sorted(added, key=MARK.__ne__), *changed]:  # the mark first: it is a site from then on
                there[name].parent.mkdir(parents=True, exist_ok=True)
                os.replace(self.aside / name, there[name])
            for path in gone:
                path.unlink()
            for left in sorted({parent for path in gone for parent in path.parents}, reverse=True):
                if self.place in left.parents and not any(left.iterdir()):
                    left.rmdir()
        except OSError as error:
            raise ArpadError(
                f"{error.strerror}: {self.place} has pages of before and of now, and each can be read; write it again"
            ) from None
        return len(added), len(changed), len(gone)

    def _reads_as_before(self, name: str) -> bool:
        return (self.place / name).read_bytes() == (self.aside / name).read_bytes()

    def _files(self) -> Iterator[Path]:
        """Files of a site in the folder."""
        for path in (self.place / name for name in self.own):
            yield from (each for each in path.rglob("*") if each.is_symlink() or not each.is_dir())
            if path.is_file():
                yield path
