"""Texts that are the same JSON value.

Source: facts persistence §4.4 (what the real reader accepts), events §8.
"""

import json
from collections.abc import Callable
from typing import TypeAlias

from dsh_reference.values import dump
from dsh_spec.values import Json, JsonObject

#: Spells an object as one line, without its line feed.
Spell: TypeAlias = Callable[[JsonObject], bytes]


def plain(value: JsonObject) -> bytes:
    """Spell it as the released writers do."""
    return dump(value).encode()


def escaped(value: JsonObject) -> bytes:
    """Spell every character beyond ASCII as an escape, and slashes too."""
    return json.dumps(value, separators=(",", ":")).replace("/", "\\/").encode()


def spaced(value: JsonObject) -> bytes:
    """Put blanks, tabs and carriage returns where JSON allows them, also at the line's end."""
    members = (_member(key, value[key], colon=" :\t") for key in value)
    return ("\t{ " + " ,\r ".join(members) + " } \r").encode()


def turned(value: JsonObject) -> bytes:
    """Put the last key first."""
    return plain({key: value[key] for key in reversed(list(value))})


def floating(value: JsonObject) -> bytes:
    """Spell the integers of the outermost members as other numbers are spelled."""
    members = (
        f"{dump(key)}:{each}e0" if type(each) is int else _member(key, each)
        for key, each in value.items()
    )
    return ("{" + ",".join(members) + "}").encode()


def repeated(value: JsonObject) -> bytes:
    """Give every key another value first; the last one holds (JSON-DUPKEY)."""
    wrong = ",".join(_member(key, {"no": key}) for key in value)
    return f"{{{wrong},{dump(value)[1:]}".encode()


def _member(key: str, value: Json, colon: str = ":") -> str:
    return dump(key) + colon + dump(value)


#: All of them, the released writers' first.
SPELLINGS: tuple[Spell, ...] = (plain, escaped, spaced, turned, floating, repeated)
