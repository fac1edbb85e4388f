"""The small things that a session does, one module a theme, and which of them comes next."""

from dsh_conformance.generate.beats import messages, records, requests, surface, tools, turns
from dsh_conformance.generate.beats.beat import Beat
from dsh_conformance.generate.beats.ranking import Ranking

#: All of them; the earlier ones are the simpler ones.
BEATS: tuple[Beat, ...] = (
    *turns.BEATS,
    *messages.BEATS,
    *tools.BEATS,
    *surface.BEATS,
    *requests.BEATS,
    *records.BEATS,
)

_RANKING = Ranking(BEATS, harmless="stranger")
next_beat = _RANKING.next_beat
simplest_beat = _RANKING.simplest_beat

__all__ = ["BEATS", "Beat", "Ranking", "next_beat", "simplest_beat"]
