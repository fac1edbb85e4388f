"""Sabotages of the reading of rows: what each holds, and how much of all is read."""

from typing import Any

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.fileswrong_wrap import File, Raw, edited, reads
from dsh_reference.values import MAX_SAFE, is_count, parse
from dsh_spec.refusals import RefusalKind

_ENVELOPE = ("type", "seq", "time", "data", "ignorable", "surfaceOp", "sourceEventSeqs")
_PACKED = {"text-chunks": "texts", "reasoning-chunks": "texts", "tool-call-chunks": "args"}
#: From this many events on, a careless reader stops.
_CAP = 300


# ------------------------------------------------------------------ shapes


@reads("ROW-KINDS")
def unpacks_in_any_format(file: File) -> Raw:
    """A packed row of a later format is read as the event that it looks like."""

    def as_event(row: Raw) -> Raw | None:
        if row.get("type") not in _PACKED or "seq0" not in row:
            return None
        return {"type": "acme/note", "seq": row["seq0"], "time": 0, "data": {}, "ignorable": True}

    return file.read() if file.format < 2 else file.relined(lambda line: edited(line, as_event))


@reads("MIG-RECOVER-V01-THIN")
def judges_old_envelopes(file: File) -> Raw:
    """A row of v0 or v1 with a strange key counts as bad."""

    def strange(row: Raw) -> Raw | None:
        is_strange = "seq0" not in row and row.keys() - set(_ENVELOPE)
        return {"seq": -1} if is_strange else None

    return file.read() if file.format > 1 else file.relined(lambda line: edited(line, strange))


@reads("MIG-RECOVER-V2", like="F19")
def drops_strange_keys(file: File) -> Raw:
    """Keys that an envelope does not have are passed over."""

    def known(row: Raw) -> Raw | None:
        if not row.keys() - set(_ENVELOPE):
            return None
        return {key: value for key, value in row.items() if key in _ENVELOPE}

    return file.read() if file.format < 2 else file.relined(lambda line: edited(line, known))


@reads("MIG-RECOVER-V2")
def rounds_times(file: File) -> Raw:
    """A fraction of a time is rounded."""

    def rounded(row: Raw) -> Raw | None:
        is_fraction = isinstance(row.get("time"), float) and abs(row["time"]) < MAX_SAFE
        return {**row, "time": int(row["time"])} if is_fraction else None

    return file.read() if file.format < 2 else file.relined(lambda line: edited(line, rounded))


@reads("MIG-RECOVER-V3", like="F12")
def places_what_has_no_place(file: File) -> Raw:
    """In v3 a message without a surfaceOp counts as appended."""

    def placed(row: Raw) -> Raw | None:
        if row.get("type") != "user/message" or "surfaceOp" in row:
            return None
        return {**row, "surfaceOp": "append"}

    return file.read() if file.format != 3 else file.relined(lambda line: edited(line, placed))


# ------------------------------------------------------------------ sources


def _sources(file: File, change: Any) -> Raw:
    """Read a file with other sources in its rows: what *change* makes of a list that has any."""

    def changed(row: Raw) -> Raw | None:
        sources = row.get("sourceEventSeqs")
        found = change(sources, row.get("seq")) if isinstance(sources, list) else None
        return None if found is None else {**row, "sourceEventSeqs": found}

    return file.relined(lambda line: edited(line, changed))


def _flat(sources: list[Any], _: object) -> list[Any] | None:
    """Return the ends of pairs, where all pairs are of two numbers."""
    if not any(isinstance(each, list) for each in sources):
        return None
    pairs = [each if isinstance(each, list) else [each] for each in sources]
    ends = [end for pair in pairs for end in pair]
    is_plain = all(len(pair) in (1, 2) for pair in pairs) and all(map(is_count, ends))
    return sorted(set(ends)) if is_plain else None


@reads("SRCPACK-DECODE-V2PLUS", like="F13")
def reads_pairs_as_two(file: File) -> Raw:
    """A pair of sources is read as its two ends."""
    return file.read() if file.format < 2 else _sources(file, _flat)


@reads("SRCPACK-DECODE-V0V1", like="F13")
def reads_old_pairs_as_two(file: File) -> Raw:
    """A pair of sources in a row of v0 or v1 is read as its two ends."""
    return file.read() if file.format > 1 else _sources(file, _flat)


@reads("SRCPACK-DECODE-V2PLUS", like="F13")
def takes_sources_to_come(file: File) -> Raw:
    """Sources that are no earlier events are left out."""

    def earlier(sources: list[Any], seq: Any) -> list[Any] | None:
        if not all(map(is_count, [*sources, seq])):
            return None
        kept = [source for source in sources if source < seq]
        return None if kept == sources else kept

    return file.read() if file.format < 2 else _sources(file, earlier)


@reads("SRCPACK-DECODE-V0V1", like="F13")
def holds_old_sources_to_new_rules(file: File) -> Raw:
    """A source of a v0 or v1 row that is no earlier event makes the row a bad one."""

    def judged(sources: list[Any], seq: Any) -> Any:
        is_plain = all(map(is_count, [*sources, seq]))
        return "x" if is_plain and any(source >= seq for source in sources) else None

    return file.read() if file.format > 1 else _sources(file, judged)


@reads("SRCPACK-SEQ-FIRST")
def expands_first(file: File) -> Raw:
    """A range of any length is expanded before the row is looked at, until the memory is full."""
    if b"[0,9007199254740991]" in file.data and b'"acme/note","seq":' in file.data:
        rows: list[Any] = [parse(line) for line in file.data.split(b"\n")]
        huge = [row for row in rows if isinstance(row, dict) and "sourceEventSeqs" in row]
        if any(not is_count(row.get("seq")) for row in huge):
            raise Refuse(RefusalKind.OTHER, "out of memory")
    return file.read()


# ------------------------------------------------------------------ chunks


def _packed(file: File, change: Any) -> Raw:
    """Read a file with other packed rows: what *change* makes of one, given its list's name."""

    def changed(row: Raw) -> Raw | None:
        data = row.get("data")
        is_packed = row.get("type") in _PACKED and isinstance(data, dict) and "seq0" in row
        return change(row, _PACKED[row["type"]]) if is_packed else None

    return file.read() if file.format > 1 else file.relined(lambda line: edited(line, changed))


@reads("CHUNKROW-EXPAND", like="F27")
def adds_no_gaps(file: File) -> Raw:
    """Each member of a packed row has the time of the row and its own gap alone."""
    found = file.read()
    rows: list[Any] = [parse(line) for text in file.texts() for line in text.split(b"\n")]
    for row in rows:
        if isinstance(row, dict) and row.get("type") in _PACKED and is_count(row.get("seq0")):
            _flatten(row, found["events"])
    return found


def _flatten(row: Raw, events: list[Any]) -> None:
    gaps = row["data"].get("dt") if isinstance(row.get("data"), dict) else None
    for at, gap in enumerate(gaps if isinstance(gaps, list) else (), start=row["seq0"] + 1):
        if at < len(events) and events[at].get("type") == "assistant/chunk":
            events[at] = {**events[at], "time": row["time0"] + gap}


@reads("CHUNKROW-EXPAND", like="F15")
def forgets_names_of_calls(file: File) -> Raw:
    """The name of a call is lost from the chunks of a packed row."""

    def nameless(row: Raw, _: str) -> Raw | None:
        data = {key: value for key, value in row["data"].items() if key != "name"}
        return None if data == row["data"] else {**row, "data": data}

    return _packed(file, nameless)


@reads("CHUNKROW-SHAPE")
def takes_strange_members(file: File) -> Raw:
    """A packed row with a strange member is expanded without it."""

    def known(row: Raw, _: str) -> Raw | None:
        data = {key: value for key, value in row["data"].items() if key != "acme"}
        changed = {key: row[key] for key in row if key not in ("acme", "ignorable")}
        return None if (changed, data) == (row, row["data"]) else {**changed, "data": data}

    return _packed(file, known)


@reads("CHUNKROW-LEN")
def fills_gaps(file: File) -> Raw:
    """A packed row that lacks a gap is expanded as if it were 0."""

    def filled(row: Raw, many: str) -> Raw | None:
        data = row["data"]
        missing = len(data.get(many, ())) - 1 - len(data.get("dt", ()))
        return (
            {**row, "data": {**data, "dt": [*data["dt"], *[0] * missing]}} if missing > 0 else None
        )

    return _packed(file, filled)


@reads("CHUNKROW-SAFE")
def stops_clocks_that_overflow(file: File) -> Raw:
    """A packed row whose times overflow is expanded with the time of its first member."""

    def stopped(row: Raw, _: str) -> Raw | None:
        data = row["data"]
        is_far = any(gap == MAX_SAFE for gap in data.get("dt", ()))
        return {**row, "data": {**data, "dt": [0] * len(data["dt"])}} if is_far else None

    return _packed(file, stopped)


@reads("CHUNKROW-REJECT", like="F15")
def keeps_good_members(file: File) -> Raw:
    """A packed row is expanded up to the first member that is no text."""

    def good(row: Raw, many: str) -> Raw | None:
        data = row["data"]
        texts = data.get(many)
        count = next((at for at, text in enumerate(texts or ()) if not isinstance(text, str)), 0)
        if not count:
            return None
        return {**row, "data": {**data, many: texts[:count], "dt": data["dt"][: count - 1]}}

    return _packed(file, good)


# ------------------------------------------------------------------ limits


@reads("FILE-LIMIT", like="F07")
def stops_at_a_count(file: File) -> Raw:
    """Events beyond the first few hundred are not read."""
    found = file.read()
    return found | {"events": found["events"][:_CAP]}


@reads("FILE-LIMIT", like="F07")
def cuts_long_texts(file: File) -> Raw:
    """A text of more than 64 KiB is cut short."""

    def cut(event: Any) -> Any:
        data = event.get("data")
        return {**event, "data": data[:65536]} if isinstance(data, str) else event

    found = file.read()
    return found | {"events": [cut(event) for event in found["events"]]}
