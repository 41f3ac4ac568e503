"""The office: one function per use case, on one ledger.

    office = open_office("club.db")
    receive(office, "open.trf")
    publish(office, date(2025, 7, 1))

`opened` opens and makes offices and replays them; `reports`, `matching`, `register`, `rows` and `intake` take reports
in; `corrections` change facts; `lists` publishes and compares; `cards` shows a player, an event, the log; `keeping`
verifies, backs up, restores. It is a package beside `office.py`, which rates files and keeps nothing: both together
would be far over 400 lines.
"""
