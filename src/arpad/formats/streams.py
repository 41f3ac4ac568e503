"""Files that may be packed, as streams of bytes: gzip, bzip2, Zstandard, or one member of a zip."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import sys
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from lzma import LZMAError
from typing import IO, Any

from arpad.errors import DataError, UsageError
from arpad.formats.source import need
from arpad.model import Problem

_BUFFER = 1 << 20
_PACKED = (".gz", ".bz2", ".zst")


def bare_name(path: str) -> str:
    """A file's name in lower case, without its folder and without what says how it is packed."""
    name = os.path.basename(path).lower()
    ending = os.path.splitext(name)[1]
    return name.removesuffix(ending) if ending in _PACKED else name


@contextmanager
def opened(path: str, members: Sequence[str] = ()) -> Iterator[tuple[str, IO[bytes]]]:
    """The unpacked bytes of a file and its bare name; of a zip, its only member that ends like one of `members`.

    Raises UsageError for a file that cannot be opened, or whose packing needs a library that is not there; DataError
    for a damaged one, also while it is being read.
    """
    damages: list[type[Exception]] = [OSError, EOFError, zlib.error, LZMAError, zipfile.BadZipFile]
    try:
        file = open(path, "rb")  # noqa: SIM115 closed below
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None
    with file:
        try:
            if zipfile.is_zipfile(file):
                name, inner = _member(file, path, members)
            else:
                file.seek(0)
                name, inner = bare_name(path), _unpacked(file, path, damages)
            with inner, io.BufferedReader(inner, _BUFFER) as buffered:
                yield name, buffered
        except tuple(damages) as error:
            raise DataError([Problem(f"damaged file: {error}", path)]) from None


def _unpacked(file: IO[bytes], path: str, damages: list[type[Exception]]) -> Any:
    head = file.read(4)
    file.seek(0)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=file)
    if head.startswith(b"BZh"):
        return bz2.BZ2File(file)
    if head != b"\x28\xb5\x2f\xfd":
        return file
    if sys.version_info >= (3, 14):
        from compression import zstd

        damages.append(zstd.ZstdError)
        return zstd.ZstdFile(file)
    need("zstandard", f"reading {path}")
    from zstandard import ZstdError

    damages.append(ZstdError)
    return _Zstandard(file)


class _Zstandard(io.RawIOBase):
    """The bytes in Zstandard frames. The library's own reader takes the end of the file for the end of a frame."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._frame: Any = None
        self._packed = self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            self._packed = self._packed or self._file.read(1 << 16)
            if not self._packed:
                if self._frame is not None:
                    raise EOFError("it ends within a frame")
                return 0
            self._unpack()
        part, self._ready = self._ready[: len(buffer)], self._ready[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def _unpack(self) -> None:
        if self._frame is None:
            from zstandard import ZstdDecompressor

            # Large archives are packed with windows beyond the library's own limit.
            self._frame = ZstdDecompressor(max_window_size=1 << 31).decompressobj()
        self._ready = self._frame.decompress(self._packed)
        self._packed = self._frame.unused_data if self._frame.eof else b""
        if self._frame.eof:
            self._frame = None


def outgrows(data: bytes, most: int) -> bool:
    """Whether the bytes of a file, packed or not, are more than so many once they are unpacked. What is damaged is left
    to its reader."""
    file = io.BytesIO(data)
    if data.startswith(b"PAR1"):
        return _rows_outgrow(file, most)
    damages: list[type[Exception]] = [OSError, EOFError, zlib.error, LZMAError, zipfile.BadZipFile]
    try:
        if zipfile.is_zipfile(file):  # no more is read of a member than it says of itself
            return sum(each.file_size for each in zipfile.ZipFile(file).infolist()) > most
        file.seek(0)
        stream = _unpacked(file, "a packed file", damages)
        left = most
        while left >= 0 and (part := stream.read(min(_BUFFER, left + 1))):
            left -= len(part)
        return left < 0
    except tuple(damages):
        return False


def _rows_outgrow(file: IO[bytes], most: int) -> bool:
    """Whether the values of a Parquet file, at eight bytes each, would be more than so many."""
    need("pyarrow", "reading .parquet")
    import pyarrow as pa
    from pyarrow.parquet import read_metadata

    with suppress(pa.ArrowException, OSError):
        about = read_metadata(file)
        return bool(8 * about.num_rows * about.num_columns > most)
    return False


def _member(file: IO[bytes], path: str, members: Sequence[str]) -> tuple[str, Any]:
    box = zipfile.ZipFile(file)
    fitting = [name for name in box.namelist() if name.lower().endswith(tuple(members))]
    if len(fitting) != 1:
        held = ", ".join(box.namelist()[:10]) or "nothing"
        wanted = " or ".join(members)
        raise DataError([Problem(f"a zip with one {wanted} file is expected; this one holds {held}", path)])
    try:
        return bare_name(fitting[0]), box.open(fitting[0])
    except (NotImplementedError, RuntimeError):  # a method that zipfile does not know; a password
        text = f"{fitting[0]} is packed or encrypted in a way that cannot be read"
        raise DataError([Problem(text, path)]) from None
