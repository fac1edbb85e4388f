"""Whole files in every legal layout."""

from hypothesis import strategies as st

from dsh_conformance.generate.files.basis import Basis, bases
from dsh_conformance.generate.files.specimen import Made, Reads, Specimen, reads
from dsh_conformance.generate.formats import Format
from dsh_reference.files import Compression


@st.composite
def whole(draw: st.DrawFn, version: Format, compression: Compression) -> tuple[Basis, Specimen]:
    """Files that nothing is wrong with, and how each is laid out."""
    basis = draw(bases(version, compression))
    made: Made = reads(basis, basis.file())
    assert isinstance(made.outcome, Reads), "a log from the generator ends its inherited prefix"
    specimen = Specimen(
        rule="TORN-FRAGMENT",
        says="a whole file",
        format=version,
        compression=compression,
        data=made.data,
        outcome=made.outcome,
    )
    return basis, specimen
