"""Runs the steps of `tutorial.md` and puts what the suite says into it.

``python docs/refresh_tutorial.py`` runs all steps, with names of steps only these.
A comment ``<!-- adapter: NAME -->`` stands before an adapter, ``<!-- output: NAME -->`` before the
answer to it, and ``<!-- judged: NAME -->`` before one that takes the whole suite, of which a long
report is shown in part.
A step that only defines ``answer`` is completed by the loop of the step ``hello``, or, to be
judged, by the loop with the lines of ``<!-- loop: kinds -->`` in it.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).with_name("tutorial.md")
STARTER = Path(__file__).parents[1] / "conformance" / "adapters" / "starter"

#: The steps that wait for a deadline, and how long, in seconds.
DEADLINES = {"unflushed": 2}

_LOOP = "# --- the loop ---\n"


def steps(kind: str) -> list[str]:
    """Return the names of the page's steps of a kind, in order."""
    return re.findall(rf"<!-- {kind}: (\w+) -->", PAGE.read_text("utf-8"))


def block(kind: str, name: str) -> str:
    """Return the code block of a step."""
    found = re.search(_pattern(kind, name), PAGE.read_text("utf-8"), re.DOTALL)
    assert found, f"the page has no {kind}: {name}"
    return found[2]


def adapter(name: str, *, judged: bool = False) -> str:
    """Return the whole program of a step."""
    body, hello = block("adapter", name), block("adapter", "hello")
    if "def answer" not in body or _LOOP in body:
        return body
    loop = hello[hello.index(_LOOP) :]
    if judged:
        refusing = r"        except LookupError.*?(?=        print)"
        loop = re.sub(refusing, lambda _: block("loop", "kinds"), loop, flags=re.DOTALL)
    return f"import json\nimport sys\n\n{body}\n\n{loop}"


def environment() -> dict[str, str]:
    """Return the environment of a reader, whose Python buffers what it prints."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}


def main(chosen: list[str]) -> None:
    """Run the steps and write the page."""
    for kind in ("output", "judged"):
        for name in steps(kind):
            if not chosen or name in chosen:
                _put(kind, name, _run(kind, name))


def _run(kind: str, name: str) -> str:
    options = ["--deadline", str(DEADLINES[name])] if name in DEADLINES else []
    with tempfile.TemporaryDirectory() as directory:
        program = Path(directory, "my_adapter.py")
        if name == "starter":
            program = Path(directory, "adapter.py")
            for path in STARTER.iterdir():
                Path(directory, path.name).write_bytes(path.read_bytes())
        else:
            program.write_text(adapter(name, judged=kind == "judged"), "utf-8")
        command = ["certify", *options, "--", "python3", program.name]
        told = subprocess.run(  # noqa: S603 - the suite itself
            [sys.executable, "-m", "dsh_conformance", *command],
            cwd=directory,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        ).stdout
    shown = _excerpt(told.replace(directory, "/home/you/store"))
    return f"$ dsh-conformance {' '.join(command)}\n{shown}\n"


def _excerpt(report: str) -> str:
    """Return a report with its first two failures and its last line."""
    lines = report.rstrip("\n").split("\n")
    failures = [number for number, line in enumerate(lines) if line.startswith("FAILED")]
    return "\n".join([*lines[: failures[2]], "[…]", "", lines[-1]] if failures[2:] else lines)


def _put(kind: str, name: str, text: str) -> None:
    def filled(found: re.Match[str]) -> str:
        return f"{found[1]}{text}{found[3]}"

    page = PAGE.read_text("utf-8")
    PAGE.write_text(re.sub(_pattern(kind, name), filled, page, flags=re.DOTALL), "utf-8")


def _pattern(kind: str, name: str) -> str:
    return rf"(<!-- {kind}: {name} -->\n```\w+\n)(.*?)(```)"


if __name__ == "__main__":
    main(sys.argv[1:])
