"""Strategies for whole sessions, identifiers, strings and values outside JSON.

`sessions` draws valid logs batch by batch, out of the `beats` that are possible in a `state`.
`breaches` are single events that break single rules, `mutations` the broken logs that they make.
`batches` are refused whole, `headers` and `strings` are what stores stumble over.
"""
