"""Sabotages of values: what is read back is not quite the JSON that was appended."""

import unicodedata
from collections.abc import Sequence

from dsh_conformance.sabotage.wrap import WrappedHandle
from dsh_reference.values import not_json
from dsh_spec.values import Json


class _Changing(WrappedHandle):
    """Shows each payload changed: `string`, `number`, `member` and `literal` say how."""

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        return [self._event(event) for event in super().read(offset, length)]

    def _event(self, event: Json) -> Json:
        if not isinstance(event, dict) or "data" not in event:
            return event
        return {**event, "data": self.changed(event["data"])}

    def changed(self, value: Json) -> Json:
        match value:
            case dict():
                kept = {k: v for k, v in value.items() if self.member(k, v)}
                return {self.string(k): self.changed(v) for k, v in kept.items()}
            case list():
                return [self.changed(item) for item in value]
            case str():
                return self.string(value)
            case bool():
                return self.literal(value)
            case float():
                return self.number(value)
            case _:
                return value

    def string(self, value: str) -> str:
        return value

    def number(self, value: float) -> float:
        return value

    def literal(self, value: bool) -> Json:  # noqa: FBT001 - a JSON value and no option
        return value

    def member(self, key: str, value: Json) -> bool:  # noqa: ARG002 - for those that look at it
        return True


class StripsNul(_Changing):
    """Every U+0000 in a string is gone."""

    def string(self, value: str) -> str:
        return value.replace("\x00", "")


class CutsAtNul(_Changing):
    """A string ends at its first U+0000."""

    def string(self, value: str) -> str:
        return value.partition("\x00")[0]


class ReplacesSurrogates(_Changing):
    """Lone surrogates become U+FFFD."""

    def string(self, value: str) -> str:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in value)


class ComposesStrings(_Changing):
    """Strings are brought into normalisation form C."""

    def string(self, value: str) -> str:
        return unicodedata.normalize("NFC", value)


class BreaksLinesAtSeparators(_Changing):
    """U+2028 and U+0085 become line feeds."""

    def string(self, value: str) -> str:
        return value.replace("\u2028", "\n").replace("\x85", "\n")


class LosesProtoKeys(_Changing):
    """A member called `__proto__` is gone."""

    def member(self, key: str, value: Json) -> bool:  # noqa: ARG002
        return key != "__proto__"


class LosesEmptyKeys(_Changing):
    """A member whose key is empty is gone."""

    def member(self, key: str, value: Json) -> bool:  # noqa: ARG002
        return key != ""


class LosesNulls(_Changing):
    """A member whose value is null is gone."""

    def member(self, key: str, value: Json) -> bool:  # noqa: ARG002
        return value is not None


class StoresTrueAsOne(_Changing):
    """True and false come back as 1 and 0."""

    def literal(self, value: bool) -> Json:  # noqa: FBT001
        return int(value)


class RoundsFloats(_Changing):
    """Numbers keep fifteen significant digits."""

    def number(self, value: float) -> float:
        return float(f"{value:.15g}")


class WritesNullForNoJson(WrappedHandle):
    """A value outside JSON is stored as null, as `JSON.stringify` does with NaN."""

    def append(self, events: Sequence[Json]) -> None:
        super().append([_nulled(event) for event in events])


class DropsNoJsonMembers(WrappedHandle):
    """A member whose value is outside JSON is dropped, as `JSON.stringify` does with undefined."""

    def append(self, events: Sequence[Json]) -> None:
        kept = [_pruned(event) for event in events] if isinstance(events, list) else events
        super().append(kept)


def _nulled(value: Json, above: tuple[int, ...] = ()) -> Json:
    if id(value) in above or not_json(value) is None:
        return None if id(value) in above else value
    if type(value) is dict:
        return {k: _nulled(v, (*above, id(value))) for k, v in value.items()}
    if type(value) is list:
        return [_nulled(item, (*above, id(value))) for item in value]
    return None


def _pruned(value: Json) -> Json:
    if type(value) is not dict:
        return value
    return {k: _pruned(v) for k, v in value.items() if type(v) is dict or not_json(v) is None}
