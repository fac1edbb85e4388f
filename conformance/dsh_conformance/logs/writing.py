"""Writes a log as a file of its format."""

import os
import sys
import tempfile
from pathlib import Path

import click

from dsh_conformance.backends.zstd import Zstd
from dsh_reference.files import Compression, batch_lines, header_line, parse_log_name
from dsh_reference.session_log import SessionLog


def log_bytes(log: SessionLog, compression: Compression, first: int = 0) -> bytes:
    """Return the file of a log, its events in one batch (MIG-LAYOUT).

    Its *first* so many events are a batch of their own.
    """
    batches = [batch for batch in (log.events[:first], log.events[first:]) if batch]
    pieces = [header_line(log.header, log.inherited)]
    pieces.extend(batch_lines(batch, log.format) for batch in batches)
    if compression == "zstd":
        frame = Zstd().frame
        pieces = [frame(piece) for piece in pieces]
    return b"".join(pieces)


def encoding_for(path: Path) -> Compression:
    """Return the encoding that a file's name asks for."""
    named = parse_log_name(path.name)
    if named is not None:
        return named[1]
    return "zstd" if path.suffix == ".zstd" else "none"


def put(content: bytes, path: Path | None, *, force: bool) -> None:
    """Write to *path*, whole or not at all, or to stdout; an existing file needs *force*."""
    if path is None:
        sys.stdout.buffer.write(content)
        return
    try:
        _publish(content, path, force=force)
    except FileExistsError:
        raise click.UsageError(f"{str(path)!r} exists; --force replaces it") from None
    except OSError as error:
        why = (error.strerror or "unknown error").lower()
        raise click.UsageError(f"cannot write {str(path)!r}: {why}") from None


def _publish(content: bytes, path: Path, *, force: bool) -> None:
    if not force and path.exists():
        raise FileExistsError
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.")
    stage = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if force:
            stage.replace(path)
        else:
            path.hardlink_to(stage)
    finally:
        stage.unlink(missing_ok=True)
