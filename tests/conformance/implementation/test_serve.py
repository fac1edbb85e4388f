"""Serving a Python backend over stdio: a stdout that is the protocol's alone."""

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from dsh_conformance.implementation import serve
from dsh_conformance.implementation.backend import Factory
from dsh_conformance.implementation.outcome import Fault
from dsh_conformance.implementation.smoke import smoke
from dsh_conformance.implementation.stdio import StdioLauncher

ADAPTERS = Path(__file__).parent / "adapters"


def lines(*requests: dict[str, Any]) -> io.BytesIO:
    numbered = ({"jsonrpc": "2.0", "id": n, **each} for n, each in enumerate(requests, 1))
    return io.BytesIO(b"".join(json.dumps(each).encode() + b"\n" for each in numbered))


def hello(workspace: Path) -> dict[str, Any]:
    return {"method": "initialize", "params": {"protocol": 1, "workspace": str(workspace)}}


def create(session_id: str) -> dict[str, Any]:
    return {"method": "store/create", "params": {"header": {"id": session_id}}}


def test_each_line_is_answered_by_a_line(shelf: Factory, tmp_path: Path) -> None:
    answers = io.BytesIO()
    requests = lines({"method": "store/list"}, hello(tmp_path), create("a"), {"method": "nope"})
    assert serve.serve(shelf, {}, requests, answers) == 0
    told = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert [each["id"] for each in told] == [1, 2, 3, 4]
    assert [each.get("error", {}).get("code") for each in told] == [-32600, None, None, -32601]


def test_what_is_no_request_is_answered_with_no_id(shelf: Factory) -> None:
    answers = io.BytesIO()
    assert serve.serve(shelf, {}, io.BytesIO(b"hello\n"), answers) == 0
    assert json.loads(answers.getvalue())["id"] is None


def test_a_failing_shutdown_is_an_exit_status(
    shelf: Factory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = lines(hello(tmp_path), create("unstoppable"))
    assert serve.serve(shelf, {}, requests, io.BytesIO()) == 1
    assert "the shutdown failed: OSError: cannot stop" in capsys.readouterr().err


def test_an_endless_request_ends_the_service(
    shelf: Factory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "LINE_LIMIT", 1000)
    assert serve.serve(shelf, {}, io.BytesIO(b"x" * 5000), io.BytesIO()) == 1
    assert "a request is longer than 1000 bytes" in capsys.readouterr().err


def test_a_suite_that_is_gone_ends_the_service(shelf: Factory, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb", buffering=0) as answers:
        assert serve.serve(shelf, {}, lines(hello(tmp_path)), answers) == 1


def hosted(**config: str) -> StdioLauncher:
    program = (
        "import sys; from dsh_conformance.implementation.serve import run; "
        f"sys.exit(run('shelf:shelf', {config!r}))"
    )
    return StdioLauncher(
        command=(sys.executable, "-c", program),
        describe="shelf",
        env={"PYTHONPATH": os.pathsep.join([str(ADAPTERS), *filter(None, sys.path)])},
    )


def test_a_backend_that_prints_disturbs_nobody(tmp_path: Path) -> None:
    connection = hosted(noisy="yes").launch(tmp_path)
    connection.call("store/create", {"header": {"id": "large"}})
    with pytest.raises(Fault) as caught:
        connection.call("store/flush", {"handle": 1})
    assert f"on {tmp_path.name}\n" in caught.value.diagnosis.stderr_tail
    assert "creating a session\n" in caught.value.diagnosis.stderr_tail


def test_a_backend_over_stdio_passes_the_probe() -> None:
    assert smoke(hosted()).implementation.name == "shelf"
