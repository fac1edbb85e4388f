"""The migration track: what becomes of a log of an older format, rule by rule.

The model says what a log becomes.  A *witness* says of one rule in which logs it shows, and where
in the result; so that a wrong result is told by the rule that it breaks, and a rule that no log
showed is reported as not exercised.
"""
