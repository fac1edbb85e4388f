"""What a run remembers of its sessions does not outlive their logs."""

from pathlib import Path

from dsh_conformance.backends.memory import memory
from dsh_conformance.generate.following import state_of
from dsh_conformance.generate.state import Raw
from dsh_conformance.implementation.inprocess import InProcessLauncher
from dsh_conformance.tracks.store.arena import Arena
from dsh_conformance.tracks.store.run import Run
from dsh_reference.store import Session


def _prompt(seq: int, text: str) -> Raw:
    content = [{"type": "text", "text": text}]
    data = {"id": text, "role": "user", "content": content, "source": {"kind": "user"}}
    return {"type": "user/message", "seq": seq, "time": 0, "data": data, "surfaceOp": "append"}


FIRST: Raw = {"type": "turn/start", "seq": 0, "time": 0, "data": {"turn": 1}}
LOST = (FIRST, _prompt(1, "lost"))
WRITTEN_LATER = (FIRST, {**_prompt(1, "later"), "time": 7}, _prompt(2, "last"))


def test_a_log_that_lost_its_end_and_grew_again_is_followed_anew(tmp_path: Path) -> None:
    launcher = InProcessLauncher(factory=memory)
    arena = Arena(launcher=launcher, capabilities=launcher.launch(tmp_path).capabilities)
    run = Run(arena=arena)
    try:
        for events in (LOST, WRITTEN_LATER, LOST[:1], LOST):
            session = Session(header={"id": "s"}, events=events)
            run.world = run.world.with_stored("s", session)
            assert run.state("s") == state_of(events)
    finally:
        run.end()
        arena.close()
