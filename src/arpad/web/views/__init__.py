"""What a page shows and its JSON holds: functions of an office that return frozen records, and know of no web."""
