"""What the payload of one event of a released format must be: exactly what its type declares.

Formats v0, v1 and v2 are closed: an edge that leaves one of them refuses an event whose payload has
a key too many, a key too few, or a value of another kind.
"""

from dsh_reference.payload.check import Released, check_payload

__all__ = ["Released", "check_payload"]
