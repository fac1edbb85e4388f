"""Sabotages of the reading of lines: what is one, and what ends a log."""

import json
from typing import Any

from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.fileswrong_wrap import File, Raw, reads
from dsh_reference.admit.rows import check_hard
from dsh_reference.files.v3 import check_hard_v3
from dsh_reference.values import parse
from dsh_spec.refusals import RefusalKind

_CORRUPT = Refuse(RefusalKind.CORRUPT, "it will not do")


# ------------------------------------------------------------------ ends


@reads("TORN-HEADER", like="F05")
def opens_what_has_no_header(file: File) -> Raw:
    """A file that ends within its header is opened as an empty session."""
    try:
        return file.read()
    except Refuse as refusal:
        if refusal.rule != "TORN-HEADER":
            raise
    header = {"version": file.format, "id": "s1", "createdAt": 0, "isSeeded": False}
    found: Raw = {"header": header, "inheritedEventCount": 0, "events": []}
    return {**found, "committedBytes": 0, "torn": True}


@reads("TORN-FRAGMENT", like="F04")
def completes_the_last_line(file: File) -> Raw:
    """A last row without its line feed is read."""
    if file.is_framed or file.data[-1:] in (b"\n", b""):
        return file.read()
    return file.read(file.data + b"\n")


@reads("TORN-FRAGMENT", like="F05")
def refuses_fragments(file: File) -> Raw:
    """A file that ends within a row is refused."""
    found = file.read()
    if not file.is_framed and not file.data.endswith(b"\n"):
        raise _CORRUPT
    return found


@reads("TORN-FRAGMENT", like="F04")
def keeps_fragments(file: File) -> Raw:
    """What lies behind the last line feed is kept, to be written behind."""
    found = file.read()
    if not file.is_framed and not file.data.endswith(b"\n"):
        found |= {"committedBytes": len(file.data), "torn": False}
    return found


@reads("INV-RECOVER", like="F03")
def reads_the_prefix(file: File) -> Raw:
    """What lies before a bad row is served, though a turn ends behind it."""
    refusal = file.refusal()
    return file.prefix() if refusal and refusal.rule == "INV-RECOVER" else file.read()


@reads("INV-RECOVER", like="F03")
def refuses_bad_rows(file: File) -> Raw:
    """A log with a bad row is refused, though no turn ends behind it."""
    found = file.read()
    if found["torn"] and not file.is_framed and file.data.endswith(b"\n"):
        raise _CORRUPT
    return found


@reads("INV-RECOVER", like="F03")
def skips_bad_rows(file: File) -> Raw:
    """Lines that are no JSON are passed over."""
    kept = [line for line in file.data.split(b"\n") if not line or _is_json(line)]
    return file.read() if file.is_framed else file.read(b"\n".join(kept))


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


@reads("MIG-RECOVER-PREFIX", like="F03")
def goes_by_the_type_alone(file: File) -> Raw:
    """A turn/end of whatever shape makes an older log corrupt."""
    found = file.read()
    if file.format < 4 and not file.is_framed and found["torn"]:
        rows = (parse(line) for line in file.data[found["committedBytes"] :].split(b"\n")[:-1])
        if any(isinstance(row, dict) and row.get("type") == "turn/end" for row in rows):
            raise _CORRUPT
    return found


@reads("MIG-RECOVER-PREFIX", like="F03")
def wants_whole_turn_ends(file: File) -> Raw:
    """Of an older log only a well-formed turn/end is missed."""
    refusal = file.refusal()
    if file.format == 4 or refusal is None or refusal.rule != "INV-RECOVER":
        return file.read()
    return file.relined(lambda line: b"#" if line.startswith(b'{"type":"turn/end"}') else line)


@reads("INV-HARD-ADMISSION")
def cuts_strange_rows_off(file: File) -> Raw:
    """A row of another vocabulary behind a bad row counts as torn."""

    def is_hard(line: bytes) -> bool:
        row: Any = parse(line)
        judge = check_hard if file.format == 4 else check_hard_v3
        return isinstance(row, dict) and judge(row) is not None

    refusal = file.refusal()
    if file.format < 3 or refusal is None:
        return file.read()
    return file.relined(lambda line: b"#" if is_hard(line) else line)


@reads("INV-HARD-ADMISSION")
def judges_strange_rows_everywhere(file: File) -> Raw:
    """In v3 a row of another vocabulary refuses the log behind a line that is no JSON too."""
    found = file.read()
    if file.format == 3 and b'"tool/code-dispatch' in file.data[found["committedBytes"] :]:
        raise _CORRUPT
    return found


# ------------------------------------------------------------------ lines


@reads("ROW-LF", like="F24")
def breaks_lines_everywhere(file: File) -> Raw:
    """A row ends at every line break that Unicode knows."""
    if file.is_framed:
        return file.read()
    text = file.data.decode("utf-8", "surrogateescape")
    whole = text.replace("\u2028", "\n").replace("\u2029", "\n").replace("\x85", "\n")
    return file.read(whole.encode("utf-8", "surrogateescape"))


@reads("ROW-LF", like="F24")
def takes_carriage_returns_for_line_ends(file: File) -> Raw:
    """A row ends at a carriage return."""
    return file.read() if file.is_framed else file.read(file.data.replace(b"\r", b"\n"))


@reads("JSON-DUPKEY")
def takes_the_first_key(file: File) -> Raw:
    """Of a key that occurs twice the first value holds."""

    def first(line: bytes) -> bytes:
        try:
            row: Any = json.loads(line, object_pairs_hook=lambda pairs: dict(pairs[::-1]))
        except ValueError:
            return line
        return line if row == parse(line) else json.dumps(row).encode()

    return file.relined(first)


@reads("JSON-TEXT", like="F25")
def reads_lenient_json(file: File) -> Raw:
    """Comments and trailing commas are passed over."""

    def strict(line: bytes) -> bytes:
        return line.replace(b",}", b"}").replace(b"/* when */", b"")

    return file.relined(strict)


@reads("JSON-TEXT", like="F25")
def reads_nan(file: File) -> Raw:
    """The word NaN is read as null."""
    return file.relined(lambda line: line.replace(b":NaN", b":null"))
