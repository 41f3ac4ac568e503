"""`arpad publish --site`: the public pages as files."""

from __future__ import annotations

from collections.abc import Sequence

from arpad.cli.talk import bar, say
from arpad.errors import UsageError


def write(place: str, folder: str, title: str, languages: Sequence[str], quiet: bool) -> int:
    """Write the site. Raises UsageError for languages that there are not, where the web's libraries are absent,
    and for a folder that cannot be written."""
    try:
        from arpad.web.drawing import LANGUAGES
        from arpad.web.site import write_site
    except ImportError as missing:
        raise UsageError(f"the pages need {missing.name}: pip install 'arpad[web]'") from None
    if unknown := [code for code in languages if code not in LANGUAGES]:
        raise UsageError(f"there are no pages in {unknown[0]!r}; known: {', '.join(LANGUAGES)}")
    chosen = tuple(dict.fromkeys(languages)) or LANGUAGES
    try:
        site = write_site(place, folder, title=title, languages=chosen, progress=bar(quiet, "pages"))
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror or error}; it is as it was") from None
    if not quiet:
        told = f"new {site.added:,}, changed {site.changed:,}, gone {site.gone:,}"
        say(f"files in {site.folder}: {site.files:,} ({told}); open {site.folder}/index.html")
    return 0
