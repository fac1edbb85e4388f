"""The sabotages of the migration track."""

from types import ModuleType

from dsh_conformance.sabotage import (
    migration_payloads,
    migration_rules,
    migration_streams,
    migration_v0,
    migration_v1,
    migration_v2,
    migration_v3,
)
from dsh_conformance.sabotage.migration_wrap import Wrong


def _of(module: ModuleType) -> tuple[Wrong, ...]:
    return tuple(each for each in vars(module).values() if isinstance(each, Wrong))


#: All of them, edge by edge.
WRONG: tuple[Wrong, ...] = (
    *_of(migration_rules),
    *_of(migration_payloads),
    *_of(migration_v0),
    *_of(migration_v1),
    *_of(migration_streams),
    *_of(migration_v2),
    *_of(migration_v3),
)
