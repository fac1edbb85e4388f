"""Write the generated schemas into the package: ``python -m dsh_spec.schema``."""

import json
from pathlib import Path

from dsh_spec.schema.generate import event_schema, header_schema

for name, schema in (("event", event_schema()), ("header", header_schema())):
    path = Path(__file__).parent / "v4" / f"{name}.schema.json"
    path.write_text(json.dumps(schema, indent=2) + "\n", encoding="utf-8")
