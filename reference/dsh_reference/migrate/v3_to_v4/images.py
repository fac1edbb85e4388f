"""Image offloads: the only records of v3 that refer from within a list of objects."""

from dsh_reference.admit.slots import is_list
from dsh_spec.values import JsonObject, is_object


def has_targets(event: JsonObject) -> bool:
    """Tell whether the references of an event can be found, if it is an image offload.

    Nobody else asks: a reader of v4 leaves the payload to whoever projects the images.

    Source: MIG34-REFS (facts: migration §4.2; probed on 0.2.1rc2).
    """
    match event:
        case {"type": "image/offload", "data": {"targets": targets}} if is_list(targets):
            return all(is_object(target) and "seq" in target for target in targets)
        case {"type": "image/offload"}:
            return False
    return True
