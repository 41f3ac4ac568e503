"""Pages for people: a view's record, in a template, in the reader's language."""
