"""Make src/arpad/data/football.csv.gz from `football.json` of the npm package vega-datasets 3.2.1.

    npm pack vega-datasets@3.2.1
    python scripts/make_demo_football.py vega-datasets-3.2.1.tgz

Takes the package as packed, or the JSON file itself. The same input gives the same bytes.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import sys
import tarfile
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "src" / "arpad" / "data" / "football.csv.gz"
MEMBER = "package/data/football.json"
SHA256 = "89db986ec1fe0c2ef88cc56f6c7bfb22a4928735c4d6fc0055fc2745af316f3a"
COLUMNS = {
    "date": "date",
    "league": "division",
    "home": "home_team",
    "away": "away_team",
    "home_score": "home_score",
    "away_score": "away_score",
}


def source_text(path: Path) -> bytes:
    """The JSON as it stands in the package; refuses any other edition of it."""
    text = path.read_bytes()
    if path.suffix == ".tgz":
        with tarfile.open(fileobj=io.BytesIO(text)) as package:
            member = package.extractfile(MEMBER)
            if member is None:
                raise SystemExit(f"{path}: {MEMBER} is no file")
            text = member.read()
    found = hashlib.sha256(text).hexdigest()
    if found != SHA256:
        raise SystemExit(f"{path}: not the football.json of vega-datasets 3.2.1 (SHA-256 {found})")
    return text


def table(rows: list[dict[str, Any]]) -> str:
    """CSV in date order, rows of one day in the order of the source; a score that is not known stays blank."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in sorted(rows, key=lambda row: row["date"]):
        writer.writerow("" if row[name] is None else row[name] for name in COLUMNS.values())
    return out.getvalue()


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    rows = json.loads(source_text(Path(sys.argv[1])))
    with TARGET.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        packed.write(table(rows).encode())
    print(f"{TARGET.name}: {len(rows)} matches, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
