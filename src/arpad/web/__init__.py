"""The office in a browser, and its API for programs: `arpad serve office.db`.

`views` make the record of a page from an office: what its HTML shows is what its JSON holds. `pages` and `api` are the
two faces of them, `window` keeps the office to one thread, `drawing` renders templates in a language, `links` say where
each page is, `answers` turn errors into pages and problem documents, `app` puts everything together.
"""
