"""US Chess: whole events, settled in passes.

`formulas` are the published formulas on numbers, `initial` how a newcomer begins, `floors` what a rating cannot fall
under, `players` what somebody brings to an event and takes from it,
`event` the five steps, `norms` the titles by norms. Their numbers come from the clauses of
`rulebooks.schema_uschess`.
"""
