"""The house keeps its order: who may import whom, how long a module may be, what must not stand in any file."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import arpad

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "arpad"

#: Lowest first. A module belongs to the longest name that it begins with, and may import that part and lower ones.
ORDER = (
    "arpad.errors",
    "arpad.model",
    "arpad.arithmetic",
    "arpad.columns",
    "arpad._cython",
    "arpad.contests",
    "arpad.go",
    "arpad.kernel",
    "arpad.kernel_glicko",
    "arpad.rulebooks",
    "arpad.periods",
    "arpad.stretch",
    "arpad.systems",
    "arpad.curves",
    "arpad.expectation",
    "arpad.formats",
    "arpad.performances",
    "arpad.time_control",
    "arpad.categories",
    "arpad.norms",
    "arpad.titles",
    "arpad.tiebreaks",
    "arpad.ledger",
    "arpad.order",
    "arpad.merging",
    "arpad.classify",
    "arpad.feeds",
    "arpad.leaving_out",
    "arpad.plan",
    "arpad.acts",
    "arpad.newcomers",
    "arpad.states",
    "arpad.substitution",
    "arpad.python_rules",
    "arpad.engine",
    "arpad.settling",
    "arpad.pools",
    "arpad.analysis",
    "arpad.checkpoints",
    "arpad.working",
    "arpad.told",
    "arpad.explain",
    "arpad.sentences",
    "arpad.next_list",
    "arpad.month_reports",
    "arpad.month",
    "arpad.month_files",
    "arpad.going_on",
    "arpad.views",
    "arpad.office",
    "arpad.bureau",
    "arpad.accounts",
    "arpad.events",
    "arpad.api",
    "arpad",
    "arpad.web.retelling",
    "arpad.web.views",
    "arpad.web",
    "arpad.cli",
    "arpad.__main__",
)
#: Parts that may import less than what lies below them.
ONLY = {"arpad.formats": {"arpad.errors", "arpad.model", "arpad.arithmetic"}}
#: Modules of a part that stand lower than the rest of it, because what lies between needs them.
LOWER = {"arpad.web": ("arpad.web.retelling",)}
#: Libraries that one part alone may import.
OWNERS = {
    "argon2": "arpad.accounts",
    "babel": "arpad.web",
    "click": "arpad.cli",
    "httpx": "arpad.web",
    "jinja2": "arpad.web",
    "litestar": "arpad.web",
    "markdown_it": "arpad.web",
    "mpmath": "arpad.systems",
    "multipart": "arpad.web",
    "openpyxl": "arpad.formats",
    "openskill": "arpad.systems",
    "pandas": "arpad.formats",
    "polars": "arpad.formats",
    "psycopg": "arpad.ledger",
    "pyarrow": "arpad.formats",
    "trueskill": "arpad.systems",
    "uvicorn": "arpad.cli",
    "zstandard": "arpad.formats",
}
#: Libraries that cost more than the whole of a small command: imported by the function that needs them.
HEAVY = {"mpmath", "numpy", "openpyxl", "openskill", "pandas", "polars", "psycopg", "pyarrow", "trueskill", "zstandard"}

#: (importing module, imported module, whether inside a function, line)
Import: TypeAlias = tuple[str, str, bool, int]

LONG = 400
REASON = "Over 400 lines because"


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def part(name: str) -> str:
    """The part of ORDER that a module belongs to; the bare package is no part of what lies in it."""
    fitting = [known for known in ORDER if name == known or (name.startswith(known + ".") and known != "arpad")]
    assert fitting, f"{name} has no place in ORDER: say who may import it"
    return max(fitting, key=len)


def for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def statements(node: ast.AST, inside: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """Everything in a module that is run, and whether that is inside a function."""
    for child in ast.iter_child_nodes(node):
        if for_types_only(child):
            continue
        yield child, inside
        yield from statements(child, inside or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda))


def imports(path: Path, known: frozenset[str]) -> Iterator[tuple[str, bool, int]]:
    """(imported module, whether inside a function, line). `from a import b` is a.b where that is a module."""
    for node, inside in statements(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, inside, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import hides its direction"
            for alias in node.names:
                longer = f"{node.module}.{alias.name}"
                yield (longer if longer in known else str(node.module)), inside, node.lineno


def all_imports() -> list[Import]:
    known = frozenset(modules())
    return [(name, *found) for name, path in modules().items() for found in imports(path, known)]


def repository_files() -> list[Path]:
    """What is or would be committed."""
    if shutil.which("git") and (ROOT / ".git").exists():
        command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        paths = [ROOT / name for name in listed.split("\0") if name]
    else:  # an unpacked archive, or nothing that can read the repository
        made = {".git", ".venv", "build", "__pycache__"}
        paths = [path for path in ROOT.rglob("*") if not made & set(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file()]


def test_no_results_of_trials_lie_beside_the_sources() -> None:
    """Ratings, games and checkpoints that somebody wrote while trying things out."""
    beside = [path for path in repository_files() if path.parent == ROOT]
    assert not [path.name for path in beside if path.suffix in {".csv", ".json", ".jsonl", ".parquet", ".xlsx"}]


def requirement_name(requirement: str) -> str:
    match = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert match, requirement
    return re.sub(r"[-_.]+", "-", match[0]).lower()


@cache
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_no_module_imports_one_above_it() -> None:
    wrong = []
    for name, imported, _, line in all_imports():
        if imported.split(".")[0] != "arpad":
            continue
        own, other = part(name), part(imported)
        allowed = ONLY.get(own)
        if ORDER.index(other) > ORDER.index(own) or (allowed is not None and other not in {own, *allowed}):
            wrong.append(f"{name}:{line} imports {imported}")
    assert not wrong


def test_imports_are_seen_wherever_they_are_run(tmp_path: Path) -> None:
    path = tmp_path / "example.py"
    path.write_text(
        "import numpy\n"
        "if TYPE_CHECKING:\n"
        "    from arpad.cli import main\n"
        "def f():\n"
        "    from arpad import office, replay\n"
        "class C:\n"
        "    try:\n"
        "        import click\n"
        "    except ImportError:\n"
        "        pass\n"
    )
    assert list(imports(path, frozenset({"arpad", "arpad.office"}))) == [
        ("numpy", False, 1),
        ("arpad.office", True, 5),
        ("arpad", True, 5),
        ("click", False, 8),
    ]


def test_each_library_has_one_owner() -> None:
    wrong = [
        f"{name}:{line} imports {imported}"
        for name, imported, _, line in all_imports()
        if (owner := OWNERS.get(imported.split(".")[0])) and part(name) not in (owner, *LOWER.get(owner, ()))
    ]
    assert not wrong


def loaded_at_once(name: str, found: list[Import]) -> set[str]:
    """Everything that importing a module imports: what functions import comes later."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            waiting += [current.rpartition(".")[0]] if "." in current else []
            waiting += [imported for importer, imported, inside, _ in found if importer == current and not inside]
    return seen


def test_heavy_libraries_wait_until_they_are_needed() -> None:
    found = all_imports()
    parts = [name for name in modules() if name.count(".") < 2]
    assert {name: late for name in parts if (late := loaded_at_once(name, found) & HEAVY)} == {}


def test_every_part_of_the_order_exists() -> None:
    assert set(ORDER) - {part(name) for name in modules()} == set()


def test_long_modules_say_why() -> None:
    wrong = []
    for name, path in modules().items():
        lines = len(path.read_text(encoding="utf-8").splitlines())
        reason = REASON in " ".join((ast.get_docstring(tree(path)) or "").split())
        if lines > LONG and not reason:
            wrong.append(f"{name}: {lines} lines and no reason")
        if lines <= LONG and reason:
            wrong.append(f"{name}: {lines} lines need no reason")
    assert not wrong


def test_every_module_says_what_it_is() -> None:
    assert [name for name, path in modules().items() if not ast.get_docstring(tree(path))] == []


def test_no_file_names_a_registry_host_or_a_path_of_one_machine() -> None:
    hosts = r"index[-]url|files\.[a-z]+\.org/packages|[a-z]+\.org/simple|registry\.[a-z]+\.(org|com)"
    places = r"(?<![\w.])/(work|root|farm|home)/|[.]library\b"
    forbidden = re.compile(f"{hosts}|{places}")
    wrong = []
    for path in repository_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # packed data
        for number, line in enumerate(text.splitlines(), 1):
            if forbidden.search(line):
                wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}")
    assert not wrong


def test_every_test_has_a_name_of_its_own() -> None:
    names = Counter(
        node.name
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_everything_that_may_be_installed_is_pinned() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.]+", line)] == []
    wanted = [*project()["build-system"]["requires"], *project()["project"]["dependencies"]]
    wanted += chain.from_iterable(project()["project"]["optional-dependencies"].values())
    assert {requirement_name(text) for text in wanted} - {"arpad"} <= {requirement_name(text) for text in pins}


def test_version_is_the_same_everywhere() -> None:
    version = project()["project"]["version"]
    assert arpad.__version__ == version
    assert (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1].split()[0] == version


def test_base_install_is_small() -> None:
    assert {requirement_name(text) for text in project()["project"]["dependencies"]} == {"click", "msgspec"}


def test_changelog_begins_each_version_with_ratings_that_change() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert versions
    for section in versions:
        first = re.search(r"^### (.*)$", section, flags=re.MULTILINE)
        assert first, section.splitlines()[0]
        assert first[1] == "Ratings that change", section.splitlines()[0]
