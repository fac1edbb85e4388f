"""JSON text, read and written as JavaScript does."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from json.encoder import encode_basestring
from json.scanner import make_scanner
from math import isfinite
from typing import Any, NoReturn, cast

from dsh_reference.refusal import Refusal
from dsh_reference.values.numbers import is_int, spell
from dsh_reference.values.strings import SURROGATE, utf16
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json

#: How many arrays and objects :func:`parse` lets lie in one another.
MAX_DEPTH = 512


def parse(text: str | bytes) -> Json | Refusal:
    """Read one JSON text as ``JSON.parse`` does.

    Bytes that are not UTF-8 become U+FFFD, as they do in JavaScript.
    A number beyond the doubles is refused, although JavaScript would read an infinity:
    no writer can have meant it.

    Returns the value, or a refusal with rule JSON-TEXT (no JSON), JSON-WHERE (no finite number) or
    FILE-LIMIT (deeper than :data:`MAX_DEPTH`; kind ``other``, for the text may well be JSON).

    Source: JSON-NUM, JSON-DUPKEY, JSON-WHERE, JSON-TEXT (facts: events §8).
    """
    source = text.decode("utf-8", "replace") if isinstance(text, bytes) else _escaped(text)
    if _is_deep(source):
        return _TOO_DEEP
    try:
        return _decoded(source)
    except _NoNumber as error:
        return _refusal("JSON-WHERE", f"{error} overflows a double")
    except json.JSONDecodeError as error:
        return _refusal("JSON-TEXT", f"no JSON: {error.msg} at character {error.pos}")
    except RecursionError:
        return _TOO_DEEP


def dump(value: Json) -> str:
    """Write a value as compact JSON text, in the manner of ``JSON.stringify``.

    Members keep their order, a lone surrogate becomes an escape, every other character stays raw.
    Minus zero is written ``-0``, where JavaScript would lose the sign.
    Raises ``ValueError`` for NaN and the infinities.

    Source: JSON-UTF16, JSON-NUM (facts: events §8, persistence §4.4).
    """
    try:
        text = _ENCODER.encode(value)
    except RecursionError:
        text = ""
    if not text or _has_float(text):
        text = "".join(_pieces(value))
    return text if text.isascii() else SURROGATE.sub(_escape, utf16(text))


class _NoNumber(ValueError):  # noqa: N818
    """A number that no double can hold."""


_TOO_DEEP = Refusal(
    kind=RefusalKind.OTHER,
    rule="FILE-LIMIT",
    where="text",
    problem=f"more than {MAX_DEPTH} arrays and objects are nested, the limit of this reader",
)


def _decoded(source: str) -> Json:
    """Decode a text; most have no white space around them, and then the scanner alone will do."""
    try:
        value, end = _SCAN(source, 0)
    except StopIteration:
        return cast("Json", _DECODER.decode(source))
    return cast("Json", value if end == len(source) else _DECODER.decode(source))


def _integer(digits: str) -> int | float:
    if len(digits) < 16:
        return int(digits) if digits != "-0" else -0.0
    return read_number(digits)


def read_number(digits: str) -> int | float:
    """Read a JSON number as `parse` does; raises ``ValueError`` where no double holds it."""
    value = float(digits)
    if not isfinite(value):
        raise _NoNumber(digits[:24])
    return int(value) if is_int(value) else value


def _constant(name: str) -> NoReturn:
    raise json.JSONDecodeError(f"{name} is no value", name, 0)


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=read_number, parse_constant=_constant)
_SCAN = cast("Callable[[str, int], tuple[Any, int]]", make_scanner(cast("Any", _DECODER)))
_ENCODER = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":")
)

#: Python spells a double differently from JavaScript, and never without one of these: a whole
#: number with ``.0`` behind it, or an exponent.
_FLOAT = re.compile(r"[0-9](?:\.0(?![0-9])|e[-+])")


def _has_float(text: str) -> bool:
    """Tell whether such a number may be in a text; what rules most texts out is quickly seen."""
    if ".0" in text or "e-" in text or "e+" in text:
        return _FLOAT.search(text) is not None
    return False


_ESCAPE_OR_SURROGATE = re.compile(r"\\.|[\ud800-\udfff]", re.DOTALL)
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[{\]}]', re.DOTALL)


def _is_deep(text: str) -> bool:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match.group(), 0)
        if depth > MAX_DEPTH:
            return True
    return False


def _escaped(text: str) -> str:
    """Write surrogates as escapes, because the decoder joins no other pair than one of escapes."""
    if not SURROGATE.search(text):
        return text
    return _ESCAPE_OR_SURROGATE.sub(
        lambda match: match.group() if match.group()[0] == "\\" else _escape(match), text
    )


def _escape(surrogate: re.Match[str]) -> str:
    return f"\\u{ord(surrogate.group()):04x}"


def _refusal(rule: str, problem: str) -> Refusal:
    return Refusal(kind=RefusalKind.NOT_JSON, rule=rule, where="text", problem=problem)


def _pieces(value: Json) -> Iterator[str]:
    stack: list[tuple[Json, bool]] = [(value, False)]
    while stack:
        item, written = stack.pop()
        match item:
            case str():
                yield item if written else encode_basestring(item)
            case bool() | None:
                yield {True: "true", False: "false", None: "null"}[item]
            case int():
                yield str(item)
            case float():
                yield spell(item)
            case Mapping():
                members = [
                    ((",", True), (k, False), (":", True), (v, False)) for k, v in item.items()
                ]
                yield "{"
                stack.extend([("}", True), *reversed([part for m in members for part in m][1:])])
            case _:
                yield "["
                parts = [part for member in item for part in ((",", True), (member, False))]
                stack.extend([("]", True), *reversed(parts[1:])])
