"""Verdicts and how they are shown."""
