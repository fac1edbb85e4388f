"""JSON Schemas (draft 2020-12) of every format, generated from the classes of its vocabulary.

They describe what a conforming *writer* writes, one logical event or header at a time.
A reader of v3 and v4 accepts more: keys that it does not know, and in many places values that it
does not check.  A reader of v0 to v2 accepts no more, and refuses besides what the schema cannot
say, such as fields that do not go together.
``python -m dsh_spec.schema`` writes ``vN/event.schema.json`` and ``vN/header.schema.json`` anew.
"""
