"""One kind of file: what is odd or wrong in it, and which rule says what must come of it."""

from collections.abc import Callable
from typing import TypeAlias

from attrs import frozen

from dsh_conformance.generate.files.basis import Basis
from dsh_conformance.generate.files.specimen import Made, Specimen
from dsh_conformance.generate.formats import FORMATS, Format
from dsh_conformance.generate.tape import Tape
from dsh_reference.files import Compression

#: Makes a file of a log, or nothing where that is impossible.
Make: TypeAlias = Callable[[Basis, Tape], Made | None]

#: Both encodings, plain text first.
BOTH: tuple[Compression, ...] = ("none", "zstd")
PLAIN: tuple[Compression, ...] = ("none",)
FRAMED: tuple[Compression, ...] = ("zstd",)


@frozen
class Kind:
    """One kind of file."""

    #: The rule that decides.
    rule: str
    #: What is odd or wrong, in a few words for people.
    says: str
    #: Makes it.
    make: Make
    #: In which formats there is such a file.
    formats: tuple[Format, ...] = FORMATS
    #: In which encodings there is such a file.
    compressions: tuple[Compression, ...] = BOTH
    #: Whether only a reader of a later format reads it so, to migrate it; the builds that wrote the
    #: format were stricter.
    migrating: bool = False

    def of(self, basis: Basis, tape: Tape) -> Specimen | None:
        """Make one of *basis*; nothing where that is impossible."""
        made = self.make(basis, tape)
        if made is None:
            return None
        return Specimen(
            rule=made.rule or self.rule,
            says=self.says,
            format=basis.format,
            compression=basis.compression,
            data=made.data,
            outcome=made.outcome,
        )
