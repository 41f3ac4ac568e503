"""A folder that is a site: what others keep there stays, what breaks leaves whole pages, two do not write at once."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arpad.errors import ArpadError, Busy, UsageError
from arpad.web.folders import ASIDE, MARK, Folder

OWN = ("en", MARK)
OLD = {MARK: b"{}", "en/a.html": b"a", "en/b/1.html": b"one", "en/b/2.html": b"two"}


def write(place: Path, files: dict[str, bytes]) -> tuple[int, int, int]:
    with Folder(place, OWN) as folder:
        for name, content in files.items():
            folder.put(name, content)
        return folder.publish()


def content(place: Path) -> dict[str, bytes]:
    return {path.relative_to(place).as_posix(): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def test_what_differs_is_written_and_what_is_gone_is_removed(tmp_path: Path) -> None:
    place = tmp_path / "a site"
    assert write(place, OLD) == (4, 0, 0)
    new = {MARK: b"{}", "en/a.html": b"A", "en/c.html": b"c"}
    assert write(place, new) == (1, 1, 2)
    assert content(place) == new
    assert not (place / "en" / "b").exists()
    assert write(place, new) == (0, 0, 0)


def test_an_empty_folder_is_taken_and_what_others_keep_in_a_site_stays(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref")
    with pytest.raises(UsageError, match="is no site"):
        write(tmp_path, OLD)
    empty = tmp_path / "empty"
    empty.mkdir()
    write(empty, OLD)
    for name in ("CNAME", ".nojekyll", "it/index.html"):
        (empty / name).parent.mkdir(exist_ok=True)
        (empty / name).write_text("mine")
    write(empty, {MARK: b"{}"})
    assert content(empty).keys() == {MARK, "CNAME", ".nojekyll", "it/index.html"}


def test_what_is_no_site_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    for place in (mine, mine / "letter.txt"):
        with pytest.raises(UsageError, match="is no site"):
            write(place, OLD)
    with pytest.raises(UsageError, match="there is no folder"):
        write(tmp_path / "nowhere" / "public", OLD)
    assert content(tmp_path) == {"mine/letter.txt": b"dear"}


def test_a_site_behind_a_link_is_written_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "public").symlink_to("real")
    write(tmp_path / "public", OLD)
    assert (tmp_path / "public").is_symlink()
    assert content(tmp_path / "real") == OLD


def broken(place: Path, error: BaseException) -> None:
    """A writing that ends before all pages are there."""
    with Folder(place, OWN) as folder:
        folder.put(MARK, b"{}")
        folder.put("en/a.html", b"new")
        raise error


def test_what_breaks_while_pages_are_made_leaves_the_old_site(tmp_path: Path) -> None:
    place = tmp_path / "public"
    with pytest.raises(OSError, match="No space"):
        broken(place, OSError(errno.ENOSPC, "No space left on device"))
    assert not place.exists()
    write(place, OLD)
    with pytest.raises(KeyboardInterrupt):
        broken(place, KeyboardInterrupt())
    assert content(place) == OLD


class Limited:
    """Moves so many files, and no more."""

    def __init__(self, moves: int) -> None:
        self.left, self.move = moves, os.replace

    def __call__(self, source: Path, target: Path) -> None:
        if not self.left:
            raise OSError(errno.EIO, "Input/output error")
        self.left -= 1
        self.move(source, target)


@pytest.mark.parametrize("moves", [0, 1, 2, 3])
@pytest.mark.parametrize("old", [{}, OLD])
def test_what_breaks_while_files_are_moved_leaves_whole_pages_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: dict[str, bytes], moves: int
) -> None:
    new = {MARK: b"{}", "en/a.html": b"A", "en/c.html": b"c", "en/d.html": b"d", "en/e.html": b"e"}
    place = tmp_path / "public"
    if old:
        write(place, old)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", Limited(moves))
        with pytest.raises(ArpadError, match="write it again"):
            write(place, new)
    found = content(place) if place.exists() else {}
    assert found.keys() >= old.keys(), "what is gone goes last"
    assert all(each in (old.get(name), new.get(name)) for name, each in found.items())
    write(place, new)
    assert content(place) == new


#: Writes a page, says so, and waits for what will happen.
WRITER = """
import sys
from arpad.web.folders import Folder
with Folder(sys.argv[1], ("en", "site.json")) as folder:
    folder.put("en/half.html", b"half")
    print("begun", flush=True)
    sys.stdin.read()
"""


def test_two_do_not_write_at_once_and_who_was_killed_keeps_nobody_waiting(tmp_path: Path) -> None:
    place = tmp_path / "public"
    write(place, OLD)
    command = [sys.executable, "-c", WRITER, str(place)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"begun\n"
        with pytest.raises(Busy, match="another process is writing"):
            write(place, {MARK: b"{}"})
        assert (place / ASIDE / "en" / "half.html").read_bytes() == b"half"
        other.send_signal(signal.SIGKILL)
    assert {name for name in content(place) if not name.startswith(ASIDE)} == OLD.keys()
    write(place, OLD)
    assert content(place) == OLD
