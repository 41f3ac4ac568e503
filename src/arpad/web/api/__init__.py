"""`/api/v1` for programs: a view's record as JSON. Everything that a page shows or does can be had here."""
