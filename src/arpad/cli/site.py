"""`arpad publish --site`: the public pages as files."""

from __future__ import annotations

from collections.abc import Sequence

from arpad.cli.talk import bar, say
from arpad.errors import UsageError


def write(place: str, folder: str, title: str, languages: Sequence[str], quiet: bool) -> int:
    """Write the site. Raises UsageError for languages that there are not, and where the web's libraries are absent."""
    try:
        from arpad.web.drawing import LANGUAGES
        from arpad.web.site import write_site
    except ImportError as missing:
        raise UsageError(f"the pages need {missing.name}: pip install 'arpad[web]'") from None
    if unknown := [code for code in languages if code not in LANGUAGES]:
        raise UsageError(f"there are no pages in {unknown[0]!r}; known: {', '.join(LANGUAGES)}")
    chosen = tuple(dict.fromkeys(languages)) or LANGUAGES
    site = write_site(place, folder, title=title, languages=chosen, progress=bar(quiet, "pages"))
    if not quiet:
        say(f"{site.files:,} files in {site.folder}; open {site.folder}/index.html")
    return 0
