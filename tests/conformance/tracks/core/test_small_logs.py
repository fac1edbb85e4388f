"""Small logs have a surface, and show what authors never write."""

from hypothesis import find, given
from hypothesis import strategies as st

from dsh_conformance.generate.formats import FORMATS, Format
from dsh_conformance.generate.state import Raw
from dsh_conformance.tracks.core.small import TURNED, small_logs
from dsh_reference.refusal import Refusal
from dsh_reference.session import Folded, fold

VERSIONS = st.sampled_from(FORMATS)


def surface(events: tuple[Raw, ...], version: Format) -> Folded:
    found = fold(events, format=version)
    assert not isinstance(found, Refusal)
    return found


@given(st.data(), VERSIONS)
def test_every_small_log_has_a_surface(data: st.DataObject, version: Format) -> None:
    events = data.draw(small_logs(version))
    assert [event["seq"] for event in events] == list(range(len(events)))
    surface(events, version)


@given(st.data(), VERSIONS)
def test_a_stretch_may_run_to_a_smaller_seq(data: st.DataObject, version: Format) -> None:
    events = data.draw(small_logs(version, first=TURNED))
    assert any(each.start > each.end for each in surface(events, version).replacements)


def test_images_go_out_of_sight() -> None:
    log = find(small_logs(4), lambda events: any(e["type"] == "image/offload" for e in events))
    assert surface(log, 4).projected
