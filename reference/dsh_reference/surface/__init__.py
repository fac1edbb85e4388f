"""The surface: which messages of a log the model sees, and in which order.

A log only grows, but what the model sees may shrink.  The surface is a list of *nodes*: the seqs of
message events.  An event that appends puts its own seq at the end.  An event that replaces puts
its own seq in the place of a stretch of nodes; these are *shadowed* from then on, and never come
back.  A stretch is named by its two end nodes and goes by position: after earlier replacements
its first node may well have the greater seq.

An ``image/offload`` moves no node.  It *projects*: it lays a changed message over the one that a
node's event carries.

The rules of an event are asked in a fixed order, and the first that it breaks refuses the log:
its seq, its marker (does its type belong on the surface, and how does it enter), its sources, the
tools that it declares, its projections, and last its place among the nodes.
"""

from dsh_reference.surface.fold import Surface, fold
from dsh_reference.surface.replace import Replacement

__all__ = ["Replacement", "Surface", "fold"]
