"""A plain backend in memory for the tests of the host, which checks next to nothing."""

import copy
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from dsh_conformance.implementation.backend import Access, Refuse
from dsh_conformance.implementation.capabilities import (
    Capabilities,
    ImplementationInfo,
    StoreClaims,
)
from dsh_spec.refusals import RefusalKind
from dsh_spec.values import Json, JsonObject

CLAIMS = Capabilities(
    implementation=ImplementationInfo(name="shelf", version="1", language="Python"),
    store=StoreClaims(
        seam="handle", format=4, durable=False, cross_process_lock=False, artifacts=None
    ),
    hostile_values=True,
)


@define
class Handle:
    """A session and its handle in one."""

    header: Any
    inherited_event_count: int = 0
    copies: bool = True
    events: list[Any] = field(factory=list)
    is_open: bool = True

    def read(self, offset: int = 0, length: int | None = None) -> Sequence[Json]:
        events = self.events[offset:][:length]
        return copy.deepcopy(events) if self.copies else events

    def append(self, events: Sequence[Json]) -> None:
        if not self.is_open:
            raise Refuse(RefusalKind.CLOSED, "closed", "STORE-CLOSED")
        self.events.extend(copy.deepcopy(events) if self.copies else events)

    def flush(self) -> None:
        if self.header["id"] == "large":
            raise OSError("the disk\nis full")

    def close(self) -> None:
        self.is_open = False


@define
class Shelf:
    """The backend."""

    copies: bool = True
    noisy: bool = False
    sessions: dict[str, Handle] = field(factory=dict)
    ended: list[str] = field(factory=list)

    @property
    def capabilities(self) -> Capabilities:
        return CLAIMS

    def create(self, header: JsonObject, inherited_event_count: int | None = None) -> Handle:
        if self.noisy:
            print("creating a session")
        kept = copy.deepcopy(header) if self.copies else header
        handle = Handle(kept, inherited_event_count or 0, self.copies)
        self.sessions[str(header["id"])] = handle
        return handle

    def open(self, session_id: str, access: Access) -> Handle:  # noqa: ARG002
        if session_id not in self.sessions:
            raise Refuse(RefusalKind.NOT_FOUND, "no such session")
        return evolve(self.sessions[session_id], is_open=True)

    def flush(self) -> None:
        return None

    def stat(self, session_id: str) -> JsonObject | None:
        if session_id == "not JSON":
            return {"header": {}, "revision": "1", "extra": float("nan")}
        found = self.sessions.get(session_id)
        if found is None:
            return None
        return {"header": found.header, "revision": str(len(found.events))}

    def list(self) -> Sequence[JsonObject]:
        return [{"header": each.header, "revision": "0"} for each in self.sessions.values()]

    def locate(self, session_id: str) -> str | None:  # noqa: ARG002
        return None

    def shutdown(self) -> None:
        if "unstoppable" in self.sessions:
            raise OSError("cannot stop")
        self.ended.append("shutdown")

    def crash(self) -> None:
        self.ended.append("crash")


def shelf(workspace: Path, config: Mapping[str, str]) -> Shelf:
    """Make a shelf; `copies=no` keeps the caller's objects, `noisy=yes` prints."""
    if "color" in config:
        raise Refuse(RefusalKind.INVALID_ARGUMENT, "shelf has no option color")
    print(f"on {workspace.name}", file=sys.stderr)
    return Shelf(copies=config.get("copies") != "no", noisy="noisy" in config)


not_callable = 3
