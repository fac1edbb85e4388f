"""The variations of the files track, in the order of what they get wrong."""

from dsh_conformance.sabotage import (
    fileswrong_frames,
    fileswrong_harmless,
    fileswrong_headers,
    fileswrong_packed,
    fileswrong_rows,
    fileswrong_writing,
)
from dsh_conformance.sabotage.fileswrong_wrap import WrongFiles, collected

#: Those that are wrong.
WRONG_FILES: tuple[WrongFiles, ...] = tuple(
    collected(
        fileswrong_headers,
        fileswrong_rows,
        fileswrong_packed,
        fileswrong_frames,
        fileswrong_writing,
    )
)
#: Those that are only otherwise; they name the rule that allows it.
HARMLESS_FILES: tuple[WrongFiles, ...] = tuple(collected(fileswrong_harmless))
