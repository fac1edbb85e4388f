"""Tracks of pure methods: an answer depends on the request alone, so a run is a few calls.

A *law* is a strategy for cases and a check of what an implementation answers to a case.
The runs are lines of a replay script, as those of the store track are.
"""
