"""Small real backends that pass: memory, JSONL, SQLite.

`store` and `handle` make a backend of any `storage`.
Each of `memory`, `jsonl` and `sqlite` shows one storage, and only what is its own.
"""
