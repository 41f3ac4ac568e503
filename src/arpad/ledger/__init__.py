"""The ledger of an office: what was said, by whom and when, and what it comes to now.

`store` is one way to two databases, `schema` their tables, `chain` the entries that nobody changes, `facts` what the
entries say now, `packed` the games as columns. An entry is written by `chain.append`, which also brings the facts up to
date, in one transaction; there is no other way to change a fact.
"""
