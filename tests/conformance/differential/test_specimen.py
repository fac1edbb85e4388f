"""Specimens: their files are read back by the reference, and generated ones are of every sort."""

import json
from collections.abc import Callable

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from dsh_conformance.differential import ours
from dsh_conformance.differential.specimen import Specimen, header_row
from dsh_conformance.differential.specimens import specimens
from dsh_conformance.generate.formats import FORMATS, Format, logs
from dsh_reference.files import Compression
from dsh_reference.session_log import SessionLog
from dsh_reference.values import equal
from dsh_spec.values import JsonObject

EVENT: JsonObject = {"type": "x/y", "seq": 0, "time": 1, "data": 1, "ignorable": True}
VERSIONS: st.SearchStrategy[Format] = st.sampled_from(FORMATS)
#: Enough to find whatever is not rare; how small it is does not matter.
SEARCH = settings(max_examples=2000, database=None, phases=[Phase.generate])


def test_the_header_of_an_older_file_counts_the_inherited_events() -> None:
    old: JsonObject = {"version": 1, "id": "s", "isSeeded": True}
    seeded = SessionLog(header=old, inherited=3, events=())
    assert header_row(seeded) == {"type": "session", "version": 1, "id": "s", "seedLength": 3}
    bare = SessionLog(header={**old, "isSeeded": False}, inherited=0, events=())
    assert header_row(bare) == {"type": "session", "version": 1, "id": "s"}
    new = SessionLog(header={**old, "version": 2}, inherited=3, events=())
    assert header_row(new) == {"type": "session", "version": 2, "id": "s", "isSeeded": True}


def test_a_file_is_a_line_an_event_and_may_end_too_soon() -> None:
    log = SessionLog(header={"version": 4}, inherited=0, events=(EVENT, EVENT))
    specimen = Specimen(format=4, log=log, cuts=(1,))
    rows = [{"type": "session", "version": 4}, EVENT, EVENT]
    assert [json.loads(line) for line in specimen.data.splitlines()] == rows
    torn = Specimen(format=4, log=log, torn=3)
    assert torn.data == specimen.data[:-3]


@given(data=st.data(), compression=st.sampled_from(["none", "zstd"]), packed=st.booleans())
def test_a_sound_log_is_read_back(
    data: st.DataObject, compression: Compression, *, packed: bool
) -> None:
    version = data.draw(VERSIONS)
    log = data.draw(logs(version))
    cuts = data.draw(st.sets(st.integers(0, len(log.events))))
    specimen = Specimen(
        format=version, log=log, compression=compression, cuts=tuple(sorted(cuts)), packed=packed
    )
    read = ours.read(specimen)
    assert isinstance(read, SessionLog)
    assert read.inherited == log.inherited
    assert equal(list(read.events), list(log.events))


@pytest.mark.parametrize("version", FORMATS)
def test_specimens_are_of_every_sort(version: Format) -> None:
    def some(condition: Callable[[Specimen], bool]) -> None:
        find(specimens(version), condition, settings=SEARCH)

    some(lambda each: each.torn > 0)
    some(lambda each: each.compression == "zstd" and len(each.cuts) > 1)
    some(lambda each: bool(each.log.events) and ours.current(each).verdict == "admitted")
    some(lambda each: ours.current(each).verdict != "admitted")
    if version < 4:
        some(lambda each: bool(each.children))
    if version < 2:
        some(lambda each: each.packed)
