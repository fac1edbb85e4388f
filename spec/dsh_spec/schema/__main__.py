"""Write the generated schemas and tables: ``python -m dsh_spec.schema``."""

import json
from pathlib import Path

from dsh_spec.events import VOCABULARIES
from dsh_spec.schema.generate import event_schema, header_schema
from dsh_spec.schema.table import types_table

for version in VOCABULARIES:
    directory = Path(__file__).parent / f"v{version}"
    directory.mkdir(exist_ok=True)
    for name, schema in (("event", event_schema(version)), ("header", header_schema(version))):
        text = json.dumps(schema, indent=2) + "\n"
        (directory / f"{name}.schema.json").write_text(text, encoding="utf-8")

(Path(__file__).parent / "event-types.md").write_text(types_table(), encoding="utf-8")
