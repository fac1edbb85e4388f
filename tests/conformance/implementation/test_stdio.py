"""The stdio side: every way in which an adapter can go wrong is blamed and told in one line."""

import fcntl
import os
import time
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.implementation.outcome import Fault, Ok, Refused
from dsh_conformance.implementation.stdio import StdioLauncher
from dsh_spec.refusals import RefusalKind

INSTEAD = "to stdout instead of an answer to store/list ("

#: What is said when the implementation is to blame, by the adapter's fault.
IMPLEMENTATION = {
    "deaf": "did not answer initialize within 0.3 s (is every answer flushed?)",
    "hang": "did not answer store/list within 0.3 s (is every answer flushed?)",
    "exit at start": "exited with status 3 instead of answering initialize",
    "exit": "exited with status 0 instead of answering store/list",
    "half an answer": "was ended by SIGSEGV in the middle of answering store/list",
    "closed stdout": "closed its stdout instead of answering store/list",
    "crash": "answered store/list with JSON-RPC error -32603: no way (a refusal has code -32000",
    "ignores the end": "did not exit within 0.3 s after the end of its input",
    "status 4": "exited with status 4 at the end of its input; status 0 was due",
}
#: What is said when the adapter is to blame.
ADAPTER = {
    "banner": "wrote 'Server started' to stdout instead of an answer to initialize (",
    "garbage": f"wrote 'listing 3 sessions' {INSTEAD}",
    "parting words": "wrote 'bye' to stdout, unasked; stdout is for answers alone",
    "parting flood": "xxx'... to stdout, unasked; stdout is for answers alone",
    "endless line": "flooded stdout while store/list was to be answered: a line of 65536 bytes",
    "invalid UTF-8": f"{INSTEAD}invalid UTF-8 at byte 39)",
    "NaN": INSTEAD,
    "deep": INSTEAD,
    "array": f"wrote '[]' {INSTEAD}no JSON object)",
    "no answer": "no JSON-RPC answer: answer must contain ['result'] properties",
    "null": "answered store/list with no JSON-RPC answer: answer.result must be object",
    "wrong id": "answered store/list with id 77, but the request has id 2",
    "wrong id in a refusal": "answered store/list with id 77, but the request has id 2",
    "twice": "answered store/list twice; each request gets one answer",
    "wrong shape": "a result of the wrong shape: result.snapshots must be array",
    "unknown method": "has no method store/list, which what it claims needs",
    "bad params": "answered store/list with JSON-RPC error -32602: no way",
    "no kind": "refused store/list without saying how, 'no way': error.data must be object",
    "unknown kind": "refused store/list with an unknown kind, 'nope'",
    "version 2": "speaks protocol version 2; this suite speaks version 1",
    "no tracks": "claims no track: the answer to initialize has to name one under tracks",
    "half a claim": "result of the wrong shape: result.tracks.store must contain",
}
ENVIRONMENT = {"refuses to start": "refused to start: no way"}
#: What is not left at its default, so that a test need not wait.
CHANGED: dict[str, dict[str, Any]] = {
    "deaf": {"first": 0.3},
    "hang": {"call": 0.3},
    "closed stdout": {"call": 0.3},
    "ignores the end": {"exit": 0.3},
    "endless line": {"line_limit": 65536},
}
FAULTS = [
    (fault, blame, what)
    for blame, faults in (
        ("implementation", IMPLEMENTATION),
        ("adapter", ADAPTER),
        ("environment", ENVIRONMENT),
    )
    for fault, what in faults.items()
]


def live(launcher: StdioLauncher, workspace: Path) -> None:
    connection = launcher.launch(workspace)
    connection.call("store/list", {})
    connection.close()


@pytest.mark.parametrize(("fault", "blame", "what"), FAULTS)
def test_every_fault_is_blamed_in_one_line(
    misbehaving: Any, tmp_path: Path, fault: str, blame: str, what: str
) -> None:
    with pytest.raises(Fault) as caught:
        live(misbehaving(fault, **CHANGED.get(fault, {})), tmp_path)
    diagnosis = caught.value.diagnosis
    assert diagnosis.blame == blame
    assert what in diagnosis.what
    assert "\n" not in diagnosis.what


def test_what_it_said_last_on_stderr_is_kept(misbehaving: Any, tmp_path: Path) -> None:
    with pytest.raises(Fault) as caught:
        live(misbehaving("exit at start"), tmp_path)
    assert caught.value.diagnosis.stderr_tail == "no database\n"


def test_a_right_adapter_is_driven(misbehaving: Any, tmp_path: Path) -> None:
    connection = misbehaving("none").launch(tmp_path)
    assert connection.capabilities.implementation.name == "misbehaving"
    assert connection.call("store/list", {}) == Ok({"snapshots": []})
    connection.close()


def test_a_refusal_is_an_answer(misbehaving: Any, tmp_path: Path) -> None:
    connection = misbehaving("refuses sessions").launch(tmp_path)
    refused = Refused(kind=RefusalKind.OTHER, message="no way", rule="STORE-FRESH")
    assert connection.call("store/list", {}) == refused
    connection.close()


def test_a_loud_stderr_blocks_nobody(misbehaving: Any, tmp_path: Path) -> None:
    live(misbehaving("loud"), tmp_path)


def test_a_large_request_to_a_deaf_adapter_is_late(misbehaving: Any, tmp_path: Path) -> None:
    connection = misbehaving("stops reading", call=0.3).launch(tmp_path)
    with pytest.raises(Fault, match="did not answer store/append within"):
        connection.call("store/append", {"handle": 1, "events": ["x" * 1_000_000]})


def test_after_a_fault_every_call_tells_it_again(misbehaving: Any, tmp_path: Path) -> None:
    connection = misbehaving("exit").launch(tmp_path)
    for method in ("store/list", "store/closeWorkspace"):
        with pytest.raises(Fault, match="exited with status 0 instead of answering store/list"):
            connection.call(method, {})


@pytest.mark.parametrize("end", ["close", "kill"])
def test_after_the_end_there_is_no_call(misbehaving: Any, tmp_path: Path, end: str) -> None:
    connection = misbehaving("none").launch(tmp_path)
    getattr(connection, end)()
    with pytest.raises(Fault, match="was called after its end") as caught:
        connection.call("store/list", {})
    assert caught.value.diagnosis.blame == "suite"


def test_a_large_request_goes_through(misbehaving: Any, tmp_path: Path) -> None:
    connection = misbehaving("none").launch(tmp_path)
    params = {"handle": 1, "events": ["x" * 1_000_000]}
    assert connection.call("store/append", params) == Ok({})
    connection.kill()


@pytest.mark.parametrize("end", ["close", "kill"])
def test_a_grandchild_does_not_survive(misbehaving: Any, tmp_path: Path, end: str) -> None:
    connection = misbehaving("orphan").launch(tmp_path)
    connection.call("store/list", {})
    getattr(connection, end)()
    with (tmp_path / "lock").open("w") as lock:
        for _ in range(1200):
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.05)
            else:
                return
    pytest.fail("the grandchild lives on")


def test_ends_leave_no_process_and_no_open_file(misbehaving: Any, tmp_path: Path) -> None:
    before = os.listdir("/dev/fd")  # noqa: PTH208
    for end in ("close", "kill"):
        connection = misbehaving("none").launch(tmp_path)
        pid = connection._process._child.pid
        getattr(connection, end)()
        connection.kill()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert os.listdir("/dev/fd") == before  # noqa: PTH208


def test_a_dropped_connection_takes_its_process_along(misbehaving: Any, tmp_path: Path) -> None:
    connection = misbehaving("none").launch(tmp_path)
    pid = connection._process._child.pid
    del connection
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.parametrize(
    ("text", "mode", "what"),
    [
        (None, 0, "command not found; give its path, or put it on PATH"),
        ("#!/bin/sh\n", 0o644, "permission denied; is the file executable?"),
        ("#", 0o755, "not a program; a script needs a first line like #!/usr/bin/env python3"),
    ],
)
def test_a_command_that_cannot_run_is_the_environments(
    tmp_path: Path, text: str | None, mode: int, what: str
) -> None:
    path = tmp_path / "adapter"
    if text is not None:
        path.write_text(text)
        path.chmod(mode)
    with pytest.raises(Fault) as caught:
        StdioLauncher(command=(str(path),), describe="adapter").launch(tmp_path)
    assert caught.value.diagnosis.blame == "environment"
    assert caught.value.diagnosis.what == f"cannot run '{path}': {what}"


def test_a_command_that_a_shell_cannot_find_is_the_environments(tmp_path: Path) -> None:
    command = ("/bin/sh", "-c", "no-such-command-anywhere")
    with pytest.raises(Fault) as caught:
        StdioLauncher(command=command, describe="sh").launch(tmp_path)
    assert caught.value.diagnosis.blame == "environment"


def test_a_request_of_the_wrong_shape_is_the_suites(misbehaving: Any, tmp_path: Path) -> None:
    connection = misbehaving("none").launch(tmp_path)
    with pytest.raises(Fault) as caught:
        connection.call("store/stat", {"id": 3})
    assert caught.value.diagnosis.blame == "suite"
