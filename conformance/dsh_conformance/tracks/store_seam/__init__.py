"""The store track, store seam: the same machine, held against the model of the older contract.

Runs, scripts and reports are those of `dsh_conformance.tracks.store`; here are the moves, what is
asked, and the look after each step.
"""
