"""JSON Schemas (draft 2020-12) of format v4, generated from the classes of the vocabulary.

They describe what a conforming *writer* writes, one event or header at a time.
A reader accepts more: keys that it does not know, and in many places values that it does not check.
``python -m dsh_spec.schema`` writes ``v4/event.schema.json`` and ``v4/header.schema.json`` anew.
"""
