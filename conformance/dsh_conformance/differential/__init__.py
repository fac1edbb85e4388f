"""The reference held against the real runtimes, on logs that nobody chose.

Logs of a format are generated, half of them spoilt in one place, and put where a store keeps
them.  What the runtime makes of each is compared with what the reference makes of the same bytes:
the verdict, the migrated log, the messages that a model would be shown, and the events that close
an interrupted turn.
What differs and is not listed in ``known.toml`` is made as small as it gets and reported.
"""
