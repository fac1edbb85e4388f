"""The number kinds of which the rules speak, and how JavaScript spells a number.

Source: facts, events §0.2 (*count*, *pos*, *int*) and JSON-NUM.
"""

from decimal import Decimal
from math import copysign, isfinite
from typing import TypeGuard

#: The largest integer n such that n and n + 1 are both exact doubles.
MAX_SAFE = 2**53 - 1


def is_minus_zero(number: float) -> bool:
    """Tell whether a number is minus zero, which no rule of a log admits (JSON-REFUSE)."""
    return number == 0 and copysign(1, number) < 0


def is_int(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a safe integer: integral, within ±(2^53 - 1), not minus zero."""
    if type(value) is int:  # nearly all are
        return -MAX_SAFE <= value <= MAX_SAFE
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if not -MAX_SAFE <= value <= MAX_SAFE:
        return False
    return isinstance(value, int) or (value.is_integer() and not is_minus_zero(value))


def is_count(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a safe integer of at least 0."""
    if type(value) is int:  # nearly all are
        return 0 <= value <= MAX_SAFE
    return is_int(value) and value >= 0


def is_pos(value: object) -> TypeGuard[int | float]:
    """Tell whether a value is a safe integer of at least 1."""
    return is_int(value) and value >= 1


def spell(number: float) -> str:
    """Spell a finite double as JavaScript does, except that minus zero keeps its sign.

    Both languages choose the shortest digits that read back the same; only the layout differs.
    Raises ``ValueError`` for NaN and the infinities.
    """
    if not isfinite(number):
        raise ValueError(f"{number} has no JSON spelling")
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    text, point = "".join(map(str, digits)), len(digits) + int(exponent)
    if number == 0:
        spelled = "0"
    elif 0 < point <= 21:
        text = text.ljust(point, "0")
        spelled = f"{text[:point]}.{text[point:]}".rstrip(".")
    elif -6 < point <= 0:
        spelled = f"0.{'0' * -point}{text}"
    else:
        fraction = f".{text[1:]}" if text[1:] else ""
        spelled = f"{text[0]}{fraction}e{point - 1:+d}"
    return f"-{spelled}" if sign else spelled
