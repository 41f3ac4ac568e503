"""What ratings as a whole do: whether they drift, where their points come from, and how well they foretell.

Pure functions over replays and published ratings. Nothing here computes a rating, and nothing knows a person's name.
"""
