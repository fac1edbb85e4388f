"""An adapter that does as the protocol says, but for the one fault that it is started with."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

STORE = {
    "seam": "handle",
    "format": 4,
    "durable": False,
    "crossProcessLock": False,
    "artifacts": None,
}
HELLO: dict[str, Any] = {
    "protocol": 1,
    "implementation": {"name": "misbehaving", "version": "1", "language": "Python"},
    "tracks": {"store": STORE},
    "hostileValues": False,
}
RESULTS: dict[str, Any] = {
    "store/create": {"handle": 0},
    "store/open": {"handle": 0, "header": {}, "inheritedEventCount": 0},
    "store/read": {"events": []},
    "store/stat": {"snapshot": None},
    "store/list": {"snapshots": []},
    "store/locate": {"path": None},
}


def put(text: str | bytes) -> None:
    sys.stdout.buffer.write(text.encode() if isinstance(text, str) else text)
    sys.stdout.buffer.flush()


def reply(request: Any, **body: Any) -> None:
    put(json.dumps({"jsonrpc": "2.0", "id": request["id"], **body}) + "\n")


def error(request: Any, code: int, **data: Any) -> None:
    reply(request, error={"code": code, "message": "no\nway", **data})


def sleep(*_: Any) -> None:
    time.sleep(600)


def flood(*_: Any) -> None:
    while True:
        put(b"x" * 65536)


def orphan(request: Any) -> None:
    # A grandchild in the same process group that holds every pipe open.
    program = (
        "import fcntl, sys, time; f = open(sys.argv[1], 'w'); fcntl.flock(f, 2); time.sleep(600)"
    )
    lock = os.path.join(os.environ["WORKSPACE"], "lock")  # noqa: PTH118
    subprocess.Popen([sys.executable, "-I", "-S", "-c", program, lock])
    while not os.path.exists(lock):  # noqa: PTH110
        time.sleep(0.01)
    reply(request, result={"snapshots": []})


def die(request: Any) -> None:
    put(json.dumps({"jsonrpc": "2.0", "id": request["id"]})[:20])
    os.kill(os.getpid(), signal.SIGSEGV)


def shut(*_: Any) -> None:
    os.close(1)
    time.sleep(600)


def twice(request: Any) -> None:
    reply(request, result={"snapshots": []})
    reply(request, result={"snapshots": []})


def loud(request: Any) -> None:
    sys.stderr.write("noise\n" * 200_000 + "the last words\n")
    reply(request, result={"snapshots": []})


#: What each fault does instead of answering `store/list`.
LISTS: dict[str, Callable[[Any], None]] = {
    "hang": sleep,
    "endless line": flood,
    "orphan": orphan,
    "half an answer": die,
    "closed stdout": shut,
    "twice": twice,
    "loud": loud,
    "exit": lambda _: sys.exit(0),
    "garbage": lambda _: put("listing 3 sessions\n"),
    "invalid UTF-8": lambda _: put(b'{"jsonrpc": "2.0", "id": 2, "result": "\xff"}\n'),
    "NaN": lambda _: put('{"jsonrpc": "2.0", "id": 2, "result": NaN}\n'),
    "deep": lambda _: put("[" * 5000 + "]" * 5000 + "\n"),
    "array": lambda _: put("[]\n"),
    "no answer": lambda request: put(json.dumps(request) + "\n"),
    "wrong id": lambda _: reply({"id": 77}, result={"snapshots": []}),
    "wrong id in a refusal": lambda _: error({"id": 77}, -32000, data={"kind": "io"}),
    "wrong shape": lambda request: reply(request, result={"snapshots": None}),
    "null": lambda request: reply(request, result=None),
    "crash": lambda request: error(request, -32603),
    "unknown method": lambda request: error(request, -32601),
    "bad params": lambda request: error(request, -32602),
    "no kind": lambda request: error(request, -32000),
    "unknown kind": lambda request: error(request, -32000, data={"kind": "nope"}),
}
#: What each fault answers to `initialize`.
HELLOS: dict[str, dict[str, Any]] = {
    "version 2": {**HELLO, "protocol": 2},
    "no tracks": {**HELLO, "tracks": {}},
    "no store": {**HELLO, "tracks": {"live": {"format": 4, "resume": False, "reload": False}}},
    "format 2": {**HELLO, "tracks": {"store": {**STORE, "format": 2}}},
    "seam store": {**HELLO, "tracks": {"store": {**STORE, "seam": "store"}}},
    "half a claim": {**HELLO, "tracks": {"store": {"seam": "handle"}}},
}


def serve(fault: str) -> None:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if request["method"] == "initialize" and fault == "refuses to start":
            error(request, -32000, data={"kind": "io"})
        elif request["method"] == "initialize":
            reply(request, result=HELLOS.get(fault, HELLO))
            if fault == "stops reading":
                sleep()
        elif request["method"] == "store/list" and fault in LISTS:
            LISTS[fault](request)
        elif fault == ("refuses workspaces" if "Work" in request["method"] else "refuses sessions"):
            error(request, -32000, data={"kind": "other", "rule": "STORE-FRESH"})
        else:
            reply(request, result=RESULTS.get(request["method"], {}))


def main(fault: str) -> int:
    if fault == "exit at start":
        print("no database", file=sys.stderr)
        return 3
    if fault == "deaf":
        sleep()
    if fault == "banner":
        put("Server started\n")
    serve(fault)
    if fault == "ignores the end":
        sleep()
    if fault == "parting words":
        put("bye\n")
    if fault == "parting flood":
        flood()
    return 4 if fault == "status 4" else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
