"""Sabotages of the reading of frames."""

from dsh_conformance.backends.zstd import Zstd
from dsh_conformance.implementation.backend import Refuse
from dsh_conformance.sabotage.fileswrong_wrap import File, Raw, reads
from dsh_reference.files import Frame, Torn, each_frame
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind

_CHECKSUM = 0x04
_CORRUPT = Refuse(RefusalKind.CORRUPT, "it will not do")


@reads("FRAME-HEADER-ALONE", like="F06")
def finds_headers_anywhere(file: File) -> Raw:
    """The header may share its frame with rows, or lie in several frames."""
    refusal = file.refusal()
    if not file.is_framed or refusal is None:
        return file.read()
    header, feed, rest = b"".join(file.texts()).partition(b"\n")
    frames = [Zstd().frame(header + feed), *([Zstd().frame(rest)] if rest else [])]
    return file.read(b"".join(frames))


@reads("FRAME-ALL", like="F07")
def reads_one_batch(file: File) -> Raw:
    """Only the first frame behind the header is read."""
    if not file.is_framed:
        return file.read()
    found = file.read(b"".join(file.frames()[:2]))
    return found | {"committedBytes": len(file.data)}


@reads("FRAME-ALL")
def stops_at_empty_frames(file: File) -> Raw:
    """An empty frame ends the log."""
    if not file.is_framed:
        return file.read()
    kept: list[bytes] = []
    for frame in file.frames():
        if kept and Zstd().inflate().whole(frame) == b"":
            break
        kept.append(frame)
    return file.read(b"".join(kept))


@reads("FRAME-ALL")
def wants_checksums(file: File) -> Raw:
    """A frame without a checksum is refused."""
    if file.is_framed and any(
        isinstance(found, Frame) and not file.data[found.start + 4] & _CHECKSUM
        for found in each_frame(file.data)
    ):
        raise _CORRUPT
    return file.read()


@reads("FRAME-SCAN", like="F05")
def stops_at_what_is_no_frame(file: File) -> Raw:
    """What begins no frame counts as torn."""
    parts = [*each_frame(file.data)] if file.is_framed else []
    if not parts or not isinstance(parts[-1], Refusal):
        return file.read()
    ends = [part.end for part in parts if isinstance(part, Frame)]
    return file.read(file.data[: ends[-1]]) | {"torn": True} if ends else file.read()


@reads("FRAME-SCAN")
def refuses_a_few_bytes(file: File) -> Raw:
    """Bytes that are no magic number are refused, however few there are."""
    parts = [*each_frame(file.data)] if file.is_framed else []
    if parts and isinstance(parts[-1], Torn) and len(file.data) - parts[-1].start < 4:
        raise _CORRUPT
    return file.read()


def _unchecked(file: File) -> Raw:
    """Read a file whose frames have no checksum any more."""
    parts: list[bytes] = []
    for part in each_frame(file.data):
        if isinstance(part, Frame):
            frame = bytearray(file.data[part.start : part.end])
            if frame[4] & _CHECKSUM:
                frame[4] ^= _CHECKSUM
                frame = frame[:-4]
            parts.append(bytes(frame))
        elif isinstance(part, Torn):
            parts.append(file.data[part.start :])
    found = file.read(b"".join(parts))
    return found | {"committedBytes": len(file.data)}


def _fails_a_checksum(file: File) -> bool:
    refusal = file.refusal()
    return file.is_framed and refusal is not None and "checksum" in str(refusal)


@reads("FRAME-COMPLETE-STRICT", like="F05")
def looks_at_no_checksum(file: File) -> Raw:
    """A frame with a wrong checksum is read."""
    return _unchecked(file) if file.format == 4 and _fails_a_checksum(file) else file.read()


@reads("MIG-TORN-ZSTD", like="F05")
def looks_at_no_old_checksum(file: File) -> Raw:
    """A frame of an older log with a wrong checksum is read."""
    return _unchecked(file) if file.format < 4 and _fails_a_checksum(file) else file.read()


@reads("FRAME-COMPLETE-STRICT", like="F05")
def cuts_bad_frames_off(file: File) -> Raw:
    """A complete frame with a bad row counts as torn."""
    refusal = file.refusal()
    is_bad = file.is_framed and refusal is not None and refusal.rule == "FRAME-COMPLETE-STRICT"
    return file.prefix() if is_bad and not _fails_a_checksum(file) else file.read()


@reads("FRAME-COMPLETE-STRICT")
def wants_whole_rows_in_frames(file: File) -> Raw:
    """A row that two frames share is refused."""
    if file.is_framed and any(text and text[-1:] != b"\n" for text in file.texts()):
        raise _CORRUPT
    return file.read()


@reads("MIG-TORN-ZSTD", like="F05")
def asks_as_much_of_old_frames(file: File) -> Raw:
    """A bad row in a complete frame refuses an older log too."""
    found = file.read()
    if file.is_framed and file.format < 4 and found["torn"]:
        last = [*each_frame(file.data)][-1]
        if isinstance(last, Frame):
            raise _CORRUPT
    return found


@reads("MIG-TORN-ZSTD")
def keeps_old_frames_with_bad_rows(file: File) -> Raw:
    """A complete frame of an older log is kept, though it has a bad row."""
    found = file.read()
    last = [*each_frame(file.data)][-1] if file.is_framed else None
    if file.format < 4 and found["torn"] and isinstance(last, Frame):
        found["committedBytes"] = last.end
    return found


def _torn(file: File) -> int | None:
    """Return where a torn last frame begins, if there is one."""
    parts = [*each_frame(file.data)] if file.is_framed else []
    return parts[-1].start if len(parts) > 1 and isinstance(parts[-1], Torn) else None


@reads("FRAME-TORN-RECOVER", like="F05")
def refuses_half_frames(file: File) -> Raw:
    """A file that ends within a frame is refused."""
    if _torn(file) is not None:
        raise _CORRUPT
    return file.read()


@reads("FRAME-TORN-RECOVER", like="F05")
def drops_torn_frames(file: File) -> Raw:
    """Nothing is recovered from a torn frame."""
    start = _torn(file)
    return file.read() if start is None else file.read(file.data[:start]) | {"torn": True}


@reads("FRAME-TORN-RECOVER")
def keeps_torn_frames(file: File) -> Raw:
    """A torn frame is kept, to be written behind."""
    found = file.read()
    return found if _torn(file) is None else found | {"committedBytes": len(file.data)}
