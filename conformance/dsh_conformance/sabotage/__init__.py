"""Implementations that are wrong on purpose, each in one way."""
