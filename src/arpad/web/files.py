"""What lies in the folder of static files, and nothing else, by any name that is asked for."""

from __future__ import annotations

from typing import Any

from litestar.file_system import BaseLocalFileSystem


class Files(BaseLocalFileSystem):
    """Files as they lie in a folder. Of what is none nothing is said, and there is none by a name that no file can
    have."""

    async def info(self, path: Any, **named: Any) -> Any:
        """Raises FileNotFoundError."""
        try:
            found = await super().info(path, **named)
        except (OSError, ValueError) as error:  # too long, or with a NUL in it
            raise FileNotFoundError(str(error)) from None
        if found["type"] != "file":
            raise FileNotFoundError(str(path))
        return found
