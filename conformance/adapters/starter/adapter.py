#!/usr/bin/env python3
"""A durable session store behind the adapter protocol: one SQLite file a workspace.

It needs nothing but Python.  Copy it, and put your own store in the place of the SQL.
"""

import json
import sqlite3
import sys
from pathlib import Path

KNOWN_TYPES = set(Path(__file__).with_name("event-types.txt").read_text().split())

TABLES = """
BEGIN;
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, header TEXT, inherited INTEGER);
CREATE TABLE IF NOT EXISTS events (id TEXT, seq INTEGER, event TEXT, PRIMARY KEY (id, seq));
COMMIT;
"""


class RefusalError(Exception):
    """The store says no: a kind and a message.  Any other exception is a crash."""


class Session:
    """One session; pending, and in memory only, until it is stored."""

    def __init__(self, header, inherited, *, stored):
        self.header, self.inherited, self.stored = header, inherited, stored


class Adapter:
    """The methods of the protocol, each from params to result."""

    def initialize(self, params):
        """Say who answers and what it claims."""
        self.open_workspace(params)
        store = {"seam": "handle", "format": 4, "durable": True, "crossProcessLock": False}
        return {
            "protocol": 1,
            "implementation": {"name": "starter", "version": "1", "language": "Python"},
            "tracks": {"store": {**store, "artifacts": None, "migratesFrom": []}},
            "hostileValues": False,
        }

    def open_workspace(self, params):
        """Begin afresh on a directory."""
        self.workspace, self.pending, self.handles = params["workspace"], {}, []
        self.db = sqlite3.connect(Path(self.workspace, "sessions.db"))
        self.db.executescript(TABLES)
        return {}

    def close_workspace(self, _params):
        """Let go of it."""
        self.db.close()
        return {}

    def create(self, params):
        """Make a pending session."""
        header, inherited = unwrap(params["header"]), params.get("inheritedEventCount")
        check_header(header, inherited)
        if self.find(key(header["id"])):
            raise RefusalError("already-exists", "the id is taken")
        session = self.pending[key(header["id"])] = Session(header, inherited or 0, stored=False)
        return {"handle": self.issue(session, "write")}

    def open(self, params):
        """Open a session that exists."""
        session = self.find(key(params["id"]))
        if session is None:
            raise RefusalError("not-found", "no session has that id")
        written = [held.header["id"] for held, use in self.handles if use == "write"]
        if params["access"] == "write" and params["id"] in written:
            raise RefusalError("already-owned", "the session has a writer")
        self.events(session)  # refuses what a newer build may have written
        handle = self.issue(session, params["access"])
        return {
            "handle": handle,
            "header": session.header,
            "inheritedEventCount": session.inherited,
        }

    def read(self, params):
        """Return a slice of the events."""
        session, offset, length = self.held(params), params.get("offset", 0), params.get("length")
        if not is_count(offset) or not (length is None or is_count(length)):
            raise RefusalError("invalid-argument", "offset and length are integers from 0")
        return {"events": self.events(session)[offset:][:length]}

    def append(self, params):
        """Store a batch that continues the log."""
        session, events = self.held(params, writing=True), unwrap(params["events"])
        due = self.count(session)
        seqs = [event.get("seq") if isinstance(event, dict) else None for event in events]
        if seqs != [*range(due, due + len(events))]:
            raise RefusalError("seq-mismatch", f"the next seq is {due}")
        if events:
            self.store(session, events)
        return {}

    def flush(self, params):
        """Store what is pending: of one handle, or of all that write."""
        writers = [number for number, (_, use) in enumerate(self.handles) if use == "write"]
        for number in [params["handle"]] if "handle" in params else writers:
            self.store(self.held({"handle": number}, writing=True), [])
        return {}

    def close(self, params):
        """Give a handle up; a session that is closed while pending never was."""
        session, use = self.handles[params["handle"]]
        if use == "write":
            self.pending.pop(key(session.header["id"]), None)
        self.handles[params["handle"]] = session, "closed"
        return {}

    def stat(self, params):
        """Look at one session."""
        session = self.find(key(params["id"]))
        return {"snapshot": session and self.snapshot(session)}

    def list(self, _params):
        """Look at all sessions."""
        stored = [row[0] for row in self.db.execute("SELECT id FROM sessions")]
        return {"snapshots": [self.snapshot(self.find(each)) for each in {*stored, *self.pending}]}

    def find(self, session_key):
        """Return the session of a key, or nothing."""
        query = "SELECT header, inherited FROM sessions WHERE id = ?"
        row = self.db.execute(query, [session_key]).fetchone()
        stored = Session(json.loads(row[0]), row[1], stored=True) if row else None
        return self.pending.get(session_key) or stored

    def count(self, session):
        """Return how many events are stored."""
        query = "SELECT COUNT(*) FROM events WHERE id = ?"
        row = self.db.execute(query, [key(session.header["id"])]).fetchone()
        return row[0] if session.stored else 0

    def events(self, session):
        """Return the stored events in seq order; refuse a log that we do not understand."""
        query = "SELECT event FROM events WHERE id = ? ORDER BY seq"
        rows = self.db.execute(query, [key(session.header["id"])]) if session.stored else []
        events = [json.loads(row[0]) for row in rows]
        for event in events:
            if event.get("type") not in KNOWN_TYPES and event.get("ignorable") is not True:
                raise RefusalError("unsupported-format", f"unknown event type {event.get('type')}")
        return events

    def snapshot(self, session):
        """Return the header, and a revision that any append changes."""
        state = self.count(session) if session.stored else f"pending {id(session)}"
        return {"header": session.header, "revision": f"{self.workspace} {state}"}

    def store(self, session, events):
        """Store events, and first the session itself, in one transaction."""
        name = key(session.header["id"])
        with self.db:
            if not session.stored:
                row = [name, json.dumps(session.header), session.inherited]
                added = self.db.execute("INSERT OR IGNORE INTO sessions VALUES (?, ?, ?)", row)
                if not added.rowcount:
                    raise RefusalError("already-exists", "another process stored this id first")
            rows = [(name, event["seq"], json.dumps(event)) for event in events]
            self.db.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
        session.stored = True

    def issue(self, session, use):
        """Return a new handle."""
        self.handles.append((session, use))
        return len(self.handles) - 1

    def held(self, params, *, writing=False):
        """Return the session of a handle that is open, for writing where that matters."""
        session, use = self.handles[params["handle"]]
        if use == "closed":
            raise RefusalError("closed", "the handle is closed")
        if writing and use != "write":
            raise RefusalError("read-only", "the handle was opened for reading")
        return session


def check_header(header, inherited):
    """Refuse what is no header of format 4."""
    tests = {
        "version": lambda value: value == 4,
        "id": lambda value: isinstance(value, str) and value != "",
        "createdAt": is_count,
        "isSeeded": lambda value: value is (inherited is not None),
        "delegationDepth": is_count,
        "cwd": lambda value: isinstance(value, str) and value.startswith("/"),
        "parentSession": lambda value: isinstance(value, str),
        "origin": lambda value: value == "subagent",
        "agentPreset": lambda value: isinstance(value, str),
    }
    needed = {"version", "id", "createdAt", "isSeeded"}
    if not isinstance(header, dict) or not needed <= header.keys() <= tests.keys():
        raise RefusalError("invalid-argument", "no header of format 4")
    for name, value in header.items():
        if not tests[name](value):
            raise RefusalError("invalid-argument", f"the header's {name} is wrong")


def is_count(value):
    """Tell whether a JSON value is an integer from 0 to 2^53 - 1."""
    return type(value) is int and 0 <= value < 2**53


def key(session_id):
    """Return the id as SQLite can store it: JSON escapes keep lone surrogates and NUL apart."""
    return json.dumps(session_id)


def unwrap(value):
    """Take off the wrapping that tells data from the protocol's own marks."""
    if isinstance(value, list):
        return [unwrap(item) for item in value]
    if isinstance(value, dict):
        members = value["$literal"] if value.keys() == {"$literal"} else value
        return {name: unwrap(item) for name, item in members.items()}
    return value


def main():
    """Answer each line with a line until the input ends."""
    adapter = Adapter()
    methods = {
        "initialize": adapter.initialize,
        "store/openWorkspace": adapter.open_workspace,
        "store/closeWorkspace": adapter.close_workspace,
        "store/locate": lambda _params: {"path": None},
    }
    for name in ("create", "open", "read", "append", "flush", "close", "stat", "list"):
        methods[f"store/{name}"] = getattr(adapter, name)
    for line in sys.stdin.buffer:
        request = json.loads(line)
        answer = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            answer["result"] = methods[request["method"]](request["params"])
        except RefusalError as refusal:
            kind, message = refusal.args
            answer["error"] = {"code": -32000, "message": message, "data": {"kind": kind}}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
