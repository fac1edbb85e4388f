"""The tracks of the suite, one package each.

An adapter that is served here imports this package and none of the suites.
"""

#: The tracks of pure methods.
PURE = ("migration", "files", "core")
#: The tracks that this version certifies, in the order in which reports have them.
TRACKS = ("store", *PURE)
