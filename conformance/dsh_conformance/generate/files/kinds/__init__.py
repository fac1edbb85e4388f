"""Every kind of odd or damaged file, by the rule that says what must come of it."""

from dsh_conformance.generate.files.kind import Kind
from dsh_conformance.generate.files.kinds import (
    chunks,
    cuts,
    damage,
    fragments,
    frames,
    hard,
    headers,
    limits,
    sources,
    texts,
    torn_frames,
)

#: All of them.
KINDS: tuple[Kind, ...] = tuple(
    kind
    for theme in (
        fragments,
        headers,
        cuts,
        texts,
        sources,
        chunks,
        damage,
        hard,
        frames,
        torn_frames,
        limits,
    )
    for kind in theme.kinds()
)
