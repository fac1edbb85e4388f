"""The golden cases: read, checked, held against an implementation, and written.

A case is a directory ``golden/vN/NAME/`` of the spec; `dsh_spec/golden/README.md` is its contract.
Three things can be done with the cases, and each has a module:

- `check` holds them against the reference, and their files against the writer's spelling;
- `against` holds them against an implementation that reads files, as the real runtime does;
- `write` takes over what the real runtime says, but only where a person has accepted it.

What no log shows is shown by a run, ``golden/runs/RULE.jsonl``, which `runs` plays and `record`
looks for.

What a case expects never comes from the reference: that is what it tests.
"""

from dsh_conformance.golden.case import Case, Finding
from dsh_conformance.golden.corpus import corpus, pinned, select
from dsh_conformance.golden.runs import Run, runs

__all__ = ["Case", "Finding", "Run", "corpus", "pinned", "runs", "select"]
