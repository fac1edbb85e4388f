"""The JSONL backend on the disk: its bytes, its torn tails, and damage that stays where it is."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from dsh_conformance.backends import disk, jsonl_writer, zstd
from dsh_conformance.backends.jsonl import jsonl
from dsh_conformance.implementation.backend import Access, Refuse, StoreBackend
from dsh_reference.files import batch_lines, header_line
from dsh_reference.refusal import Refusal
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

Header = dict[str, Json]
#: Twice for writing: a refused open leaves no claim.
ACCESSES: tuple[Access, ...] = ("read", "write", "write")
Turns = tuple[list[JsonObject], list[JsonObject]]
ZSTD = zstd.Zstd()


@pytest.fixture
def plain(tmp_path: Path) -> StoreBackend:
    return jsonl(tmp_path, {})


@pytest.fixture
def packed(tmp_path: Path) -> StoreBackend:
    return jsonl(tmp_path, {"compression": "zstd"})


def refused(call: Callable[[], object]) -> Refuse:
    with pytest.raises(Refuse) as caught:
        call()
    return caught.value


def artifact(store: StoreBackend, session_id: str = "s1") -> Path:
    path = store.locate(session_id)
    assert path is not None
    return Path(path)


def stored(store: StoreBackend, header: Header, *batches: list[JsonObject]) -> Path:
    """StoreBackend batches in a session of that header and close it."""
    handle = store.create(header)
    for batch in batches:
        handle.append(batch)
    handle.flush()
    handle.close()
    return artifact(store, str(header["id"]))


def test_the_layout_and_the_modes(
    plain: StoreBackend, header: Header, turns: Turns, tmp_path: Path
) -> None:
    """Facts: persistence §4.1, observed on 0.2.1rc2."""
    path = stored(plain, {**header, "id": "a/b"}, turns[0])
    assert path == tmp_path / "--w--" / "a~002Fb" / "session.v4.jsonl"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == path.parent.parent.stat().st_mode & 0o777 == 0o700
    assert sorted(entry.name for entry in path.parent.iterdir()) == [
        "session.lock",
        "session.v4.jsonl",
    ]


def test_a_plain_log_is_its_lines(plain: StoreBackend, header: Header, turns: Turns) -> None:
    path = stored(plain, header, *turns)
    assert path.read_bytes() == header_line(header) + batch_lines([*turns[0], *turns[1]])


def test_a_packed_log_is_a_frame_a_batch(
    packed: StoreBackend, header: Header, turns: Turns
) -> None:
    """FRAME-HEADER-ALONE, FRAME-BATCH."""
    path = stored(packed, header, *turns)
    texts = (header_line(header), batch_lines(turns[0]), batch_lines(turns[1]))
    assert path.read_bytes() == b"".join(map(ZSTD.frame, texts))


def test_create_leaves_no_trace(plain: StoreBackend, header: Header, tmp_path: Path) -> None:
    plain.create(header)
    assert list(tmp_path.iterdir()) == []


def test_a_torn_tail_stays_until_the_first_append(
    plain: StoreBackend, header: Header, turns: Turns
) -> None:
    """F04, TORN-BEFORE-APPEND: no open, flush, empty or refused append touches it."""
    path = stored(plain, header, turns[0])
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"type":"turn/start","seq":6,"ti')
    torn, before = path.read_bytes(), plain.stat("s1")
    handle = plain.open("s1", "write")
    assert handle.read() == turns[0]
    handle.append([])
    handle.flush()
    assert refused(lambda: handle.append(turns[0])).kind is RefusalKind.SEQ_MISMATCH
    assert (path.read_bytes(), plain.stat("s1")) == (torn, before)
    handle.append(turns[1])
    assert path.read_bytes() == whole + batch_lines(turns[1])


def test_recovered_rows_are_written_again(
    packed: StoreBackend, header: Header, turns: Turns
) -> None:
    """F05 A, FRAME-TORN-RECOVER: as a frame of their own, before the new batch."""
    path = stored(packed, header, turns[0])
    whole = path.read_bytes()
    path.write_bytes(whole + ZSTD.frame(batch_lines(turns[1][:2]))[:-1])
    handle = packed.open("s1", "write")
    assert handle.read() == [*turns[0], *turns[1][:2]]
    handle.append(turns[1][2:])
    frames = map(ZSTD.frame, (batch_lines(turns[1][:2]), batch_lines(turns[1][2:])))
    assert path.read_bytes() == whole + b"".join(frames)


@pytest.mark.parametrize("damage", [b"", b"garbage\n", b'{"type":"session","version":4}\n'])
def test_a_corrupt_log_is_refused_and_left_alone(
    plain: StoreBackend, header: Header, turns: Turns, damage: bytes
) -> None:
    """STORE-NO-REPAIR-ON-READ, STORE-ERROR-CLAIM-RELEASE, STORE-ISOLATION, STORE-LIST-ISOLATION."""
    path = stored(plain, header, turns[0])
    stored(plain, {**header, "id": "s2"}, turns[0])
    path.write_bytes(damage)
    for access in ACCESSES:
        assert refused(partial(plain.open, "s1", access)).kind is RefusalKind.CORRUPT
    assert refused(lambda: plain.create(header)).kind is RefusalKind.ALREADY_EXISTS
    assert path.read_bytes() == damage
    assert plain.open("s2", "write").read() == turns[0]
    assert [snapshot["header"] for snapshot in plain.list()] == [{**header, "id": "s2"}]


@pytest.mark.parametrize("name", ["session.v5.jsonl", "session.v4.jsonl"])
def test_a_log_of_another_format_is_unsupported(
    plain: StoreBackend, header: Header, name: str
) -> None:
    """STORE-VERSION-GATE: a newer one, under whatever name, beside nothing else."""
    path = stored(plain, header)
    path.unlink()
    line = '{"type":"session","version":5,"strange":1}\n'
    path.with_name(name).write_text(line)
    assert refused(lambda: plain.open("s1", "read")).kind is RefusalKind.UNSUPPORTED_FORMAT
    assert list(plain.list()) == []


def test_the_newest_generation_wins(plain: StoreBackend, header: Header, turns: Turns) -> None:
    """STORE-NEWEST-GENERATION-WINS: an older log is no way around a newer one."""
    path = stored(plain, header, turns[0])
    path.with_name("session.jsonl").write_text('{"type":"session","version":0}\n')
    assert plain.open("s1", "read").read() == turns[0]
    path.with_name("session.v9.jsonl").write_text('{"type":"session","version":9}\n')
    assert refused(lambda: plain.open("s1", "read")).kind is RefusalKind.UNSUPPORTED_FORMAT


@pytest.mark.parametrize("change", [{"id": "other"}, {"cwd": "/other"}])
def test_a_log_in_a_foreign_place_is_refused(
    plain: StoreBackend, header: Header, turns: Turns, change: Header
) -> None:
    """STORE-IDENTITY-BOUND."""
    path = stored(plain, header, turns[0])
    path.write_bytes(header_line({**header, **change}))
    refusal = refused(lambda: plain.open("s1", "write"))
    assert (refusal.kind, refusal.rule) == (RefusalKind.CORRUPT, "STORE-IDENTITY-BOUND")
    assert path.read_bytes() == header_line({**header, **change})


def test_one_id_in_two_projects_is_refused(
    plain: StoreBackend, header: Header, turns: Turns, tmp_path: Path
) -> None:
    """F26, FILE-ONE-HOME."""
    path = stored(plain, header, turns[0])
    copy = tmp_path / "--copy--" / "s1" / path.name
    copy.parent.mkdir(parents=True)
    copy.write_bytes(path.read_bytes())
    assert refused(lambda: plain.open("s1", "read")).rule == "FILE-ONE-HOME"
    assert refused(lambda: plain.create(header)).kind is RefusalKind.ALREADY_EXISTS
    assert list(plain.list()) == []


def test_two_cwds_of_one_key_stay_apart(plain: StoreBackend, header: Header, turns: Turns) -> None:
    """F26: the same project directory, two sessions."""
    one = stored(plain, {**header, "cwd": "/w/a-b/c"}, turns[0])
    two = stored(plain, {**header, "cwd": "/w/a/b-c", "id": "s2"}, turns[0], turns[1])
    assert one.parent.parent == two.parent.parent
    assert len(plain.open("s1", "read").read()) == 6


def test_a_root_of_the_other_encoding_is_refused(
    plain: StoreBackend, header: Header, tmp_path: Path
) -> None:
    """FILE-ONE-ENCODING."""
    stored(plain, header)
    packed = jsonl(tmp_path, {"compression": "zstd"})
    refusal = refused(lambda: packed.create({**header, "id": "s2"}))
    assert (refusal.kind, refusal.rule) == (RefusalKind.UNSUPPORTED_FORMAT, "FILE-ONE-ENCODING")
    artifact(plain).unlink()
    packed.create({**header, "id": "s2"})


def test_a_log_outside_a_session_directory_is_refused(
    plain: StoreBackend, header: Header, tmp_path: Path
) -> None:
    """F26, FILE-FLAT-REFUSED."""
    (tmp_path / "backup").mkdir()
    (tmp_path / "backup" / "session.jsonl").touch()
    assert refused(lambda: plain.create(header)).rule == "FILE-FLAT-REFUSED"


def test_other_files_are_left_alone(
    plain: StoreBackend, header: Header, turns: Turns, tmp_path: Path
) -> None:
    """FILE-FOREIGN-NAMES."""
    path = stored(plain, header, turns[0])
    for name in ("session.v4.jsonl.0123456789ab.tmp", "notes.txt", "session.v04.jsonl"):
        path.with_name(name).write_text("x")
    (tmp_path / "notes.txt").write_text("x")
    (tmp_path / "--w--" / "not~a~segment").mkdir()
    assert plain.open("s1", "write").read() == turns[0]
    assert len(list(path.parent.iterdir())) == 5


def test_links_lead_nowhere(plain: StoreBackend, header: Header, tmp_path: Path) -> None:
    path = stored(plain, header)
    elsewhere = tmp_path.with_name(f"{tmp_path.name}-elsewhere")
    path.parent.parent.rename(elsewhere)
    (tmp_path / "--w--").symlink_to(elsewhere)
    assert refused(lambda: plain.open("s1", "read")).kind is RefusalKind.NOT_FOUND
    assert list(plain.list()) == []
    assert refused(plain.create({**header, "id": "s2"}).flush).kind is RefusalKind.IO


def test_a_pipe_in_the_place_of_a_log_does_not_hang(plain: StoreBackend, header: Header) -> None:
    path = stored(plain, header)
    path.unlink()
    os.mkfifo(path)
    assert refused(lambda: plain.open("s1", "read")).kind is RefusalKind.IO


def test_a_long_header_is_read_whole(
    plain: StoreBackend, packed: StoreBackend, header: Header, tmp_path: Path
) -> None:
    for name, compression in (("p", "none"), ("z", "zstd")):
        (tmp_path / name).mkdir()
        store = jsonl(tmp_path / name, {"compression": compression})
        long = {**header, "agentPreset": os.urandom(100_000).hex()}
        stored(store, long)
        assert store.list()[0]["header"] == long


def test_a_creator_that_locked_first_and_stores_last_is_refused(
    plain: StoreBackend, header: Header, turns: Turns, tmp_path: Path
) -> None:
    """STORE-NO-CLOBBER, FILE-ONE-HOME: it locked in a directory that the winner never sees.

    Found by the suite, in a run that created one id under two working directories.
    """
    loser = plain.create({**header, "cwd": "/elsewhere"})
    assert refused(lambda: loser.append(turns[1])).kind is RefusalKind.SEQ_MISMATCH
    stored(jsonl(tmp_path, {}), header, turns[0])
    assert refused(lambda: loser.append(turns[0])).kind is RefusalKind.ALREADY_EXISTS
    loser.close()
    assert plain.open("s1", "read").read() == turns[0]


@pytest.mark.parametrize("keep", [0.5, 0.99])
def test_a_writer_whose_log_was_cut_is_refused(
    plain: StoreBackend, header: Header, turns: Turns, keep: float
) -> None:
    """STORE-STALE-WRITER-REFUSED, STORE-MONOTONIC-READ."""
    handle = plain.create(header)
    handle.append(turns[0])
    handle.read()
    path = artifact(plain)
    cut = path.read_bytes()[: int(path.stat().st_size * keep)]
    path.write_bytes(cut)
    assert refused(lambda: handle.append(turns[1])).rule == "STORE-STALE-WRITER-REFUSED"
    assert refused(handle.read).rule == "STORE-MONOTONIC-READ"
    assert path.read_bytes() == cut


def test_a_writer_that_ignored_the_lock_is_not_written_over(
    plain: StoreBackend, header: Header, turns: Turns
) -> None:
    """F02."""
    handle = plain.create(header)
    handle.append(turns[0])
    path = artifact(plain)
    with path.open("ab") as other:
        other.write(batch_lines(turns[1]))
    assert refused(lambda: handle.append(turns[1])).kind is RefusalKind.OWNERSHIP_LOST
    assert plain.open("s1", "read").read() == [*turns[0], *turns[1]]


def _fail(*_args: object) -> None:
    raise OSError(28, "No space left on device")


def _write_half(file: int, content: bytes) -> None:
    os.write(file, content[: len(content) // 2])
    _fail()


def test_a_failed_append_can_be_tried_again(
    plain: StoreBackend, header: Header, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts: persistence §4.8: the log is as before, without a gap and without a repeat."""
    handle = plain.create(header)
    handle.append(turns[0])
    whole = artifact(plain).read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(jsonl_writer, "write_all", _write_half)
        assert refused(lambda: handle.append(turns[1])).kind is RefusalKind.IO
    assert artifact(plain).read_bytes() == whole
    handle.append(turns[1])
    assert artifact(plain).read_bytes() == whole + batch_lines(turns[1])


@pytest.mark.parametrize("broken", ["write_all", "sync_directory"])
def test_a_failed_publication_leaves_nothing(
    plain: StoreBackend, header: Header, turns: Turns, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """STORE-ATOMIC-MATERIALISE: no log, no temporary file, and the session still pending."""
    handle = plain.create({**header, "id": "s2"})
    handle.append(turns[0])
    handle.close()
    handle = plain.create(header)
    with monkeypatch.context() as patch:
        patch.setattr(disk, broken, _write_half if broken == "write_all" else _fail)
        assert refused(lambda: handle.append(turns[0])).kind is RefusalKind.IO
    assert plain.locate("s1") is None
    assert handle.read() == []
    handle.append(turns[0])
    assert plain.open("s1", "read").read() == turns[0]
    assert len(list(artifact(plain).parent.iterdir())) == 2


def test_a_lock_file_that_was_replaced_is_not_trusted(
    plain: StoreBackend, header: Header, tmp_path: Path
) -> None:
    """FILE-LOCK: whoever removes the lock file forfeits the exclusion, but no lock is half held."""
    handle = plain.create(header)
    handle.flush()
    (artifact(plain).parent / "session.lock").unlink()
    other = jsonl(tmp_path, {})
    other.open("s1", "write").close()
    handle.close()


def test_an_id_too_long_for_a_file_name_is_refused_at_its_first_write(
    plain: StoreBackend, header: Header
) -> None:
    handle = plain.create({**header, "id": 300 * "x"})
    assert refused(handle.flush).kind is RefusalKind.IO
    handle.close()
    assert list(plain.list()) == []


def test_without_the_library_the_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zstd, "import_module", _missing)
    assert "pip install backports-zstd" in str(
        refused(lambda: jsonl(tmp_path, {"compression": "zstd"}))
    )


def _missing(name: str) -> None:
    raise ImportError(name)


def test_a_log_beyond_the_limit_is_refused_by_name(
    packed: StoreBackend, header: Header, turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FILE-LIMIT."""
    stored(packed, header, turns[0])
    small = ZSTD.inflate(200)
    monkeypatch.setattr(zstd.Zstd, "inflate", lambda _self: small)
    refusal = refused(lambda: packed.open("s1", "read"))
    assert (refusal.kind, refusal.rule) == (RefusalKind.OTHER, "FILE-LIMIT")
    assert not isinstance(small.start(b""), Refusal)
