"""``--config`` of the real runtime: what is under test, and clear words for what cannot be."""

import json
from pathlib import Path

import pytest

from dsh_conformance.implementation.dsh_subject import JSONL, read_subject
from dsh_conformance.implementation.names import Misuse

BACKEND = Path(__file__).parent / "memory-backend"


def package(directory: Path, manifest: str = '{"name": "@scope/some-backend"}') -> Path:
    directory.mkdir(parents=True)
    (directory / "package.json").write_text(manifest, "utf-8")
    return directory


@pytest.mark.parametrize(("compression", "artifacts"), [("none", "jsonl"), ("zstd", "jsonl.zstd")])
def test_the_runtimes_own_backend(compression: str, artifacts: str) -> None:
    subject = read_subject({"compression": compression}, "7.8")
    claims = subject.capabilities.store
    assert (subject.module, subject.package) == (JSONL, None)
    assert subject.config == {"root": "{workspace}", "compression": compression}
    assert subject.capabilities.implementation.version == "7.8"
    assert claims is not None
    assert (claims.artifacts, claims.durable, claims.cross_process_lock) == (artifacts, True, True)


def test_plain_text_is_the_default() -> None:
    assert read_subject({}, "1") == read_subject({"compression": "none"}, "1")


def test_a_plugin_answers_under_its_own_name_and_version() -> None:
    subject = read_subject({"plugin": str(BACKEND)}, "7.8")
    info, claims = subject.capabilities.implementation, subject.capabilities.store
    assert (info.name, info.version) == ("dsh-session-persistence-memory-example", "0.3.0")
    assert (subject.module, subject.package) == (info.name, BACKEND)
    assert claims is not None
    assert (claims.durable, claims.cross_process_lock, claims.artifacts) == (True, True, None)


def test_a_plugin_is_configured_in_json_or_text() -> None:
    subject = read_subject(
        {
            "plugin": str(BACKEND),
            "plugin.url": "sqlite://{workspace}/db",
            "plugin.pool": "4",
            "plugin.tls": '{"verify": false}',
        },
        "1",
    )
    assert subject.config == {
        "root": "{workspace}",
        "url": "sqlite://{workspace}/db",
        "pool": 4,
        "tls": {"verify": False},
    }


def test_a_plugin_may_claim_less() -> None:
    config = {"plugin": str(BACKEND), "durable": "false", "crossProcessLock": "false"}
    claims = read_subject(config, "1").capabilities.store
    assert claims is not None
    assert (claims.durable, claims.cross_process_lock) == (False, False)


def test_a_plugin_is_found_by_name_in_a_node_modules_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = package(tmp_path / "node_modules" / "@scope" / "some-backend")
    (tmp_path / "deeper").mkdir()
    monkeypatch.chdir(tmp_path / "deeper")
    assert read_subject({"plugin": "@scope/some-backend"}, "1").package == installed


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"compresion": "zstd"}, "no option 'compresion'; it has compression=none|zstd, plugin="),
        ({"compression": "gzip"}, "'gzip' is neither none nor zstd"),
        ({"durable": "false"}, "'durable' is for a plugin; name one"),
        ({"plugin.url": "x"}, "'plugin.url' is for a plugin; name one"),
        ({"plugin": "/nowhere/at/all"}, "no plugin package '/nowhere/at/all'"),
        ({"plugin": str(BACKEND), "compression": "none"}, "a plugin takes plugin.KEY=VALUE"),
        ({"plugin": str(BACKEND), "durable": "yes"}, "durable='yes' is neither true nor false"),
    ],
)
def test_what_names_nothing_is_misuse(config: dict[str, str], words: str) -> None:
    with pytest.raises(Misuse) as caught:
        read_subject(config, "1")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"name": 7}',
        '{"name": ""}',
        '{"name": "x", "version": 7}',
        "[" * 9999,
    ]
    + [json.dumps({"name": name}) for name in ("../up", "a/../../b", "/abs", "a//b", ".")],
)
def test_a_plugin_without_a_sound_manifest_is_misuse(tmp_path: Path, manifest: str) -> None:
    with pytest.raises(Misuse) as caught:
        read_subject({"plugin": str(package(tmp_path / "p", manifest))}, "1")
    assert "package.json" in str(caught.value)
    assert "\n" not in str(caught.value)
